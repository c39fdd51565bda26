import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookText } from './hook-text.ts';
import { inTurns } from './measure.ts';

const PAYLOAD = `${JSON.stringify({ session_id: 'b8c7', hook_event_name: 'PostToolUse', tool_response: 'x'.repeat(1_900) })}\n`;

const OTHERS = ['%1', '%2', '%33'].reduce(
  (text, pane) => `${text}pane 4321 ${pane}\n`,
  'rollcall-owners=1\n',
);

/** Medians in ms. */
export interface HookCost {
  readonly floorMs: number;
  readonly hookMs: number;
  /** The end of a turn, while three agents in other panes own unfinished work. */
  readonly stopMs: number;
}

/** What one hook costs an agent, against the least that any hook which reads its payload costs. */
export async function benchHook(rounds: number): Promise<HookCost> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-hook-'));
  try {
    const [spool, script] = [join(folder, 'spool'), join(folder, 'hook')];
    mkdirSync(spool, { mode: 0o700 });
    mkdirSync(join(folder, 'gate', 'stops'), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'gate', 'owners'), OTHERS);
    writeFileSync(script, hookText(spool), { mode: 0o700 });
    const tasks = {
      floor: () => run('sh', ['-c', 'cat >/dev/null']),
      hook: () => run(script, ['claude', 'PostToolUse']),
      stop: () => run(script, ['claude', 'Stop']),
    };
    await inTurns(10, tasks);
    const { floor, hook, stop } = await inTurns(rounds, tasks);
    if (!readFileSync(join(folder, 'gate', 'passed'), 'utf8').startsWith('claude 4321 %3\n'))
      throw new Error('the stops were not those of a session that owns nothing');
    return { floorMs: floor, hookMs: hook, stopMs: stop };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TMUX: '/tmp/tmux-1000/default,4321,0', TMUX_PANE: '%3' };
    const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject).on('close', () => resolve());
    child.stdin.end(PAYLOAD);
  });
}
