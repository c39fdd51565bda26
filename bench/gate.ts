import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { composeGateParts } from '../src/compose/gate/gate.ts';
import { defaultValues, toSettings } from '../src/config/settings.ts';
import { type GateContract, NOTHING_USED } from '../src/core/gate/contract.ts';
import { hookText } from './hook-text.ts';
import { type Figures, figures, pause } from './measure.ts';

/** What the end of a turn costs who owns unfinished work. */
export interface GateBench {
  /** A bare Node, in turns with the stops. */
  readonly node: Figures;
  /** Everything is known: the check was run before, and nothing has changed since. */
  readonly cached: Figures;
  /** rollcall gives no answer. */
  readonly hung: Figures;
}

// Started as Claude Code is: hooks must be its children to be believed. Times what it is told to run.
const AGENT = `
const { spawn } = require('node:child_process');
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const folder = process.argv[1].replace(/\\/bin\\/claude$/, '');
const once = (job) => new Promise((resolve) => {
  const from = process.hrtime.bigint();
  const child = spawn(job.program, job.args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => {}).end(job.input);
  child.on('close', () => resolve(Number(process.hrtime.bigint() - from) / 1e6));
});
(async () => {
  for (;;) {
    while (!existsSync(folder + '/jobs')) await new Promise((resolve) => setTimeout(resolve, 20));
    renameSync(folder + '/jobs', folder + '/taken');
    const { rounds, jobs } = JSON.parse(readFileSync(folder + '/taken', 'utf8'));
    const times = jobs.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, job] of jobs.entries()) times[index].push(await once(job));
    }
    writeFileSync(folder + '/times.new', JSON.stringify(times));
    renameSync(folder + '/times.new', folder + '/times');
  }
})();
`;

interface Job {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
}

/** Times stops of an owner in a real pane, with the command as it is built. */
export async function benchGate(rounds: number, hungRounds: number): Promise<GateBench> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-gate-'));
  const state = join(folder, 'state', 'rollcall');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TMUX_TMPDIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
  };
  delete env.TMUX;
  delete env.TMUX_PANE;
  const tmux = (...argv: string[]) =>
    execFileSync('tmux', ['-L', 'gate', '-f', '/dev/null', ...argv], { env, encoding: 'utf8' }).trim();
  const work = join(folder, 'work');
  for (const name of [work, join(folder, 'bin'), join(state, 'spool'), join(state, 'gate', 'stops')]) {
    mkdirSync(name, { recursive: true, mode: 0o700 });
  }
  makeRepository(work);
  writeFileSync(join(folder, 'bin', 'claude'), AGENT);
  const conversation = randomUUID();
  const agent = `exec '${process.execPath}' '${folder}/bin/claude'`;
  tmux('new-session', '-d', '-s', 'owner', '-c', work, agent);
  try {
    const [serverPid = '', paneId = '', panePid = '', socketPath = ''] = tmux(
      'list-panes',
      '-F',
      '#{pid} #{pane_id} #{pane_pid} #{socket_path}',
    ).split(' ');
    const pane = { pid: Number(panePid), startTicks: startTicksOf(panePid) };
    const { store } = composeGateParts(env, toSettings(defaultValues()));
    const now = Date.now();
    store.setMode(null, 'enforce');
    store.save({
      ...CONTRACT,
      ...{ startedAt: now, expiresAt: now + 3_600_000, cwd: work, project: work },
      owner: {
        session: { key: `${socketPath} owner`, name: 'owner' },
        server: { pid: Number(serverPid), startTicks: startTicksOf(serverPid), socketPath },
        ...{ paneId, pane, agent: { ...pane, kind: 'claude' }, conversation, stampedAt: now },
      },
    });
    const input = JSON.stringify({
      ...{ session_id: conversation, hook_event_name: 'Stop', stop_hook_active: false },
      ...{ cwd: work, transcript_path: join(folder, 'transcript.jsonl') },
      last_assistant_message: 'x'.repeat(1_900),
    });
    const spool = join(state, 'spool');
    const hanging = join(folder, 'hanging.cjs');
    writeFileSync(hanging, 'setInterval(() => {}, 1000);\n');
    const stopOf = (name: string, program: string): Job => {
      // Below these two names it is known for the hook that rollcall installs, and nobody else's is believed.
      const script = join(folder, name, 'rollcall', 'hook.sh');
      mkdirSync(dirname(script), { recursive: true });
      writeFileSync(script, hookText(spool, { program }), { mode: 0o700 });
      return { program: script, args: ['claude', 'Stop'], input };
    };
    const stop = stopOf('hook', resolve('dist/rollcall.cjs'));
    // The first one runs the check.
    await run(folder, 3, [stop]);
    const kept = store.contract(CONTRACT.id);
    if (kept?.enforced.used !== 1 || kept.checks[0]?.result?.state !== 'unmet')
      throw new Error(`the gate did not hold its owner: ${JSON.stringify(kept)}`);
    const bare = { program: process.execPath, args: ['-e', '0'], input: '' };
    const [node = [], cached = []] = await run(folder, rounds, [bare, stop]);
    const [hung = []] = await run(folder, hungRounds, [stopOf('hung', hanging)]);
    return { node: figures(node), cached: figures(cached), hung: figures(hung) };
  } finally {
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  }
}

const CONTRACT: Omit<GateContract, 'startedAt' | 'expiresAt' | 'cwd' | 'project' | 'owner'> = {
  format: 1,
  id: '0badcafe',
  task: 'be measured',
  checks: [{ check: { kind: 'command', argv: ['false'], cwd: null, timeoutMs: 10_000 }, result: null }],
  reinforce: 3,
  phase: 'open',
  ended: null,
  enforced: NOTHING_USED,
  shadowed: NOTHING_USED,
  stale: null,
};

async function run(folder: string, rounds: number, jobs: readonly Job[]): Promise<number[][]> {
  const times = join(folder, 'times');
  writeFileSync(join(folder, 'jobs.new'), JSON.stringify({ rounds, jobs }));
  renameSync(join(folder, 'jobs.new'), join(folder, 'jobs'));
  const deadline = Date.now() + 10_000 + rounds * 5_000;
  while (!existsSync(times)) {
    if (Date.now() > deadline) throw new Error('the agent of the benchmark has not answered');
    await pause(20);
  }
  const measured = JSON.parse(readFileSync(times, 'utf8')) as number[][];
  rmSync(times);
  return measured;
}

function makeRepository(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  git('init', '-q');
  writeFileSync(join(folder, 'README.md'), 'measured\n');
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-q', '-m', 'first');
}

function startTicksOf(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
}
