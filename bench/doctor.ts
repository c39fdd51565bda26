import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { composeDoctor } from '../src/compose/doctor/doctor.ts';
import { composeHands } from '../src/compose/hands.ts';
import { defaultValues, toSettings } from '../src/config/settings.ts';
import type { CheckReport } from '../src/core/doctor/finding.ts';
import { adopt } from '../src/engine/act/declare-standing.ts';
import { diagnose } from '../src/engine/doctor/diagnose.ts';
import { type Crowd, startCrowd } from './crowd.ts';
import { floor } from './floor.ts';
import { type ForkingDoctor, forkingDoctor } from './forking-doctor.ts';
import { inTurns, pause, timed } from './measure.ts';

/** What a whole run of the doctor costs, beside the usual one that forks for every session and ancestor. */
export interface DoctorBench {
  readonly rows: readonly DoctorRow[];
  /** Live agents on a server that the usual one was not told of. */
  readonly elsewhere: {
    readonly agents: number;
    readonly orphans: number;
    readonly forking: number;
  };
}

/** Times are medians in ms. */
export interface DoctorRow {
  readonly size: number;
  readonly processes: number;
  readonly floor: number;
  readonly doctor: number;
  /** The first run of a process, which reads everything for the first time. */
  readonly first: number;
  readonly node: number;
  readonly json: number;
  readonly firstForks: number;
  readonly forks: number;
  readonly forking: number;
  readonly forkingForks: number;
}

const SETTINGS = toSettings(defaultValues());
const WARM_UP = 40;
const COMMANDS = 9;
const ELSEWHERE = 10;

/** Measures whole runs on crowds of these sizes, each among at least so many processes. */
export async function benchDoctor(
  sizes: readonly { readonly sessions: number; readonly processes: number }[],
  rounds: number,
  say: (text: string) => void,
): Promise<DoctorBench> {
  const rows: DoctorRow[] = [];
  for (const { sessions, processes } of sizes) {
    say(`doctor on ${sessions} sessions …`);
    const crowd = startCrowd(sessions);
    const bystanders = await startBystanders(processes - countProcesses());
    try {
      rows.push(await measure(sessions, crowd, rounds));
    } finally {
      bystanders.stop();
      crowd.stop();
    }
  }
  if (new Set(rows.map(({ forks }) => forks)).size > 1) {
    throw new Error(`the forks grow: ${rows.map(({ size, forks }) => `${forks} on ${size}`).join(', ')}`);
  }
  say('doctor on a second socket …');
  return { rows, elsewhere: await elsewhere() };
}

async function measure(size: number, crowd: Crowd, rounds: number): Promise<DoctorRow> {
  await adoptAll(crowd);
  const run = await doctorOn(crowd, [crowd.socketPath]);
  let first = 0;
  const firstForks = await forksOf(async () => {
    first = await timed(run);
  });
  // Both sides are measured once the compiler is done with them.
  for (let turn = 0; turn < WARM_UP; turn += 1) {
    await run();
    await floor(crowd.socketPath);
  }
  const processes = countProcesses();
  const inProcess = await inTurns(rounds, { floor: () => floor(crowd.socketPath), doctor: run });
  const forks = await forksOf(run);
  const asProcess = await inTurns(COMMANDS, {
    node: () => spawnSync(process.execPath, ['-e', '0']),
    json: () =>
      spawnSync(process.execPath, ['dist/rollcall.cjs', 'doctor', '--json'], {
        env: crowd.env,
        maxBuffer: 2 ** 28,
      }),
  });
  let found: ForkingDoctor = { agents: 0, orphanedBy: [], forks: 0 };
  const forking = await timed(() => {
    found = forkingDoctor(crowd.socketPath);
  });
  if (found.agents < size) throw new Error(`the forking doctor found ${found.agents} of ${size}`);
  return {
    ...{ size, processes, first, firstForks, forks, forking, forkingForks: found.forks },
    ...{ ...inProcess, ...asProcess },
  };
}

/** All of them are under care, so the ledger has its word on each. */
async function adoptAll({ env, socketPath }: Crowd): Promise<void> {
  const hands = await composeHands(env, SETTINGS, { sockets: [socketPath] });
  for (const entry of (await hands.look()).sessions) await adopt(hands, entry, {});
  hands.ledger.close();
  // The first run is to see the screens for the first time.
  rmSync(join(env.XDG_STATE_HOME ?? '', 'rollcall', 'recollection.json'));
}

/** What each makes of agents that live on a server beside. */
async function elsewhere(): Promise<DoctorBench['elsewhere']> {
  const [crowd, second] = [startCrowd(ELSEWHERE), startCrowd(ELSEWHERE)];
  try {
    const run = await doctorOn(crowd, [crowd.socketPath, second.socketPath]);
    const reports = await run();
    const findings = reports
      .filter(({ name }) => name === 'agent-processes')
      .flatMap((report) => report.findings);
    const orphans = findings.filter((finding) => finding.class === 'ours-orphaned').length;
    const panes = new Set(panePids(second));
    const { orphanedBy } = forkingDoctor(crowd.socketPath);
    return { agents: ELSEWHERE, orphans, forking: orphanedBy.filter((pid) => panes.has(pid)).length };
  } finally {
    second.stop();
    crowd.stop();
  }
}

function panePids({ socketPath }: Crowd): number[] {
  const argv = ['-S', socketPath, 'list-panes', '-a', '-F', '#{pane_pid}'];
  return execFileSync('tmux', argv, { encoding: 'utf8' }).trim().split('\n').map(Number);
}

async function doctorOn(crowd: Crowd, sockets: readonly string[]): Promise<() => Promise<CheckReport[]>> {
  const doctor = await composeDoctor({ env: crowd.env, settings: SETTINGS, sockets }, process.cwd());
  return async () => diagnose(await doctor.gather());
}

/** How many processes a task starts, whoever starts them. */
async function forksOf(task: () => unknown): Promise<number> {
  let count = 0;
  const onFork = () => {
    count += 1;
  };
  subscribe('child_process', onFork);
  await task();
  unsubscribe('child_process', onFork);
  return count;
}

/** Processes outside tmux that have nothing to do with any agent. */
async function startBystanders(count: number): Promise<{ stop(): void }> {
  if (count <= 0) return { stop() {} };
  const before = countProcesses();
  const script = `i=0; while [ $i -lt ${count} ]; do sleep 100000 & i=$((i+1)); done; wait`;
  const shell = spawn('sh', ['-c', script], {
    detached: true,
    env: { PATH: process.env.PATH },
    stdio: 'ignore',
  });
  while (countProcesses() < before + count) await pause(50);
  return {
    stop() {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    },
  };
}

function countProcesses(): number {
  return readdirSync('/proc').filter((name) => /^\d/.test(name)).length;
}
