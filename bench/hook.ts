import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookScript } from '../src/hook/hook-script.ts';
import { inTurns } from './measure.ts';

const PAYLOAD = `${JSON.stringify({ session_id: 'b8c7', hook_event_name: 'PostToolUse', tool_response: 'x'.repeat(1_900) })}\n`;

/** Medians in ms. */
export interface HookCost {
  readonly floorMs: number;
  readonly hookMs: number;
}

/** What one hook costs an agent, against the least that any hook which reads its payload costs. */
export async function benchHook(rounds: number): Promise<HookCost> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-hook-'));
  try {
    const [spool, script] = [join(folder, 'spool'), join(folder, 'hook')];
    mkdirSync(spool, { mode: 0o700 });
    writeFileSync(script, hookScript(spool), { mode: 0o700 });
    const tasks = {
      floor: () => run('sh', ['-c', 'cat >/dev/null']),
      hook: () => run(script, ['claude', 'PostToolUse']),
    };
    await inTurns(10, tasks);
    const { floor, hook } = await inTurns(rounds, tasks);
    return { floorMs: floor, hookMs: hook };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject).on('close', () => resolve());
    child.stdin.end(PAYLOAD);
  });
}
