import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Crowd, type CrowdKind, startCrowd } from './crowd.ts';
import { hookText } from './hook-text.ts';
import { type Heard, listen } from './listen.ts';
import { endProcess, type Figures, figures, mebibytesIn, pause, startDaemon } from './measure.ts';

/** What a daemon takes while nothing happens, beside those who capture every screen again and again. */
export interface DaemonRow {
  readonly size: number;
  readonly kind: CrowdKind;
  /** Load of the machine at the end (one minute): others take CPU time from nobody, and caches from all. Unknown of old runs. */
  readonly load: number | null;
  readonly seconds: number;
  /** Percent of one core, with the tmux clients that it starts. */
  readonly cpuPercent: number;
  readonly rssMib: number;
  readonly peakMib: number;
  /** What the looking costs the tmux server itself. */
  readonly serverCpuPercent: number;
  readonly pollers: readonly PollerRow[];
}

export interface PollerRow {
  readonly perSecond: number;
  readonly cpuPercent: number;
  readonly serverCpuPercent: number;
  /** Rounds over all panes that it really managed in a second. */
  readonly managed: number;
}

/** From what happens to the event that a client of the daemon gets, ms. */
export interface DaemonLatency {
  readonly size: number;
  /** Null where only deaths were measured. */
  readonly hook: Figures | null;
  readonly death: Figures;
}

export interface DaemonBench {
  readonly rows: readonly DaemonRow[];
  readonly latencies: readonly DaemonLatency[];
}

/** Which crowds a daemon is measured on. `program`: another build, to be held against this one in the same run. */
export interface DaemonScenes {
  readonly rows: readonly (readonly [size: number, kind: CrowdKind])[];
  readonly deaths: readonly number[];
  readonly hooks: number;
  readonly program?: string;
}

// Rounds come ever later where nothing moves, up to five minutes.
const SETTLE_MS = 550_000;
const MEASURE_MS = 300_000;
const POLL_MS = 15_000;
const MOST_DEATHS = 100;

/** Measures a daemon as a process of its own on these crowds, and how soon its clients hear of what happens. */
export async function benchDaemon(
  { rows: wanted, deaths: sizes, hooks: count, program }: DaemonScenes,
  say: (text: string) => void,
): Promise<DaemonBench> {
  const rows: DaemonRow[] = [];
  for (const [size, kind] of wanted) {
    say(`daemon on ${size} sessions (${kind}) …`);
    rows.push(await atRest(size, kind, program));
  }
  const latencies: DaemonLatency[] = [];
  for (const [index, size] of sizes.entries()) {
    say(`daemon: deaths in ${size} sessions …`);
    latencies.push(await latency(size, index === 0 ? count : 0, program));
  }
  return { rows, latencies };
}

async function atRest(size: number, kind: CrowdKind, program?: string): Promise<DaemonRow> {
  const crowd = startCrowd(size, kind);
  try {
    const daemon = await startDaemon(crowd, undefined, program);
    // Until it has seen that nothing changes, and the compiler is done with it.
    await pause(SETTLE_MS);
    const before = [cpuMs(daemon.pid), cpuMs(crowd.serverPid)] as const;
    await pause(MEASURE_MS);
    const after = [cpuMs(daemon.pid), cpuMs(crowd.serverPid)] as const;
    const [rssMib, peakMib] = [mebibytesIn(daemon.pid, 'VmRSS'), mebibytesIn(daemon.pid, 'VmHWM')];
    await endProcess(daemon);
    return {
      ...{ size, kind, load: loadavg()[0] ?? Number.NaN },
      seconds: MEASURE_MS / 1000,
      cpuPercent: percent(after[0] - before[0], MEASURE_MS),
      serverCpuPercent: percent(after[1] - before[1], MEASURE_MS),
      ...{ rssMib, peakMib },
      // Whoever captures screens takes the same whatever is on them.
      pollers:
        kind === 'agents' && program === undefined ? [await poll(crowd, 2), await poll(crowd, 10)] : [],
    };
  } finally {
    crowd.stop();
  }
}

/** Captures every pane so many times a second, with a process for each, as far as it gets. */
async function poll(crowd: Crowd, perSecond: number): Promise<PollerRow> {
  const poller = spawn(process.execPath, ['-e', POLLER, crowd.socketPath, String(perSecond)], {
    env: crowd.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let rounds = 0;
  poller.stdout?.on('data', (chunk: Buffer) => {
    rounds += chunk.length;
  });
  const before = cpuMs(crowd.serverPid);
  const start = cpuMs(poller.pid);
  await pause(POLL_MS);
  const row = {
    perSecond,
    cpuPercent: percent(cpuMs(poller.pid) - start, POLL_MS),
    serverCpuPercent: percent(cpuMs(crowd.serverPid) - before, POLL_MS),
    managed: (rounds * 1000) / POLL_MS,
  };
  await endProcess(poller);
  return row;
}

// Four processes at a time; a round that is late begins at once. A point is printed for each round over all panes.
const POLLER = `
const { execFile, execFileSync } = require('node:child_process');
const [socket, perSecond] = process.argv.slice(1);
const panes = execFileSync('tmux', ['-S', socket, 'list-panes', '-a', '-F', '#{pane_id}'], { encoding: 'utf8' }).trim().split('\\n');
const capture = (pane) => new Promise((done) => execFile('tmux', ['-S', socket, 'capture-pane', '-p', '-t', pane], done));
(async () => {
  for (let due = Date.now(); ; due += 1000 / perSecond) {
    const left = [...panes];
    await Promise.all(Array.from({ length: 4 }, async () => { while (left.length > 0) await capture(left.pop()); }));
    process.stdout.write('.');
    const wait = due + 1000 / perSecond - Date.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait)); else due = Date.now() - 1000 / perSecond;
  }
})();`;

async function latency(size: number, hooksCount: number, program?: string): Promise<DaemonLatency> {
  const { hook, deaths } = await latencyIn(size, hooksCount, program);
  // A small crowd has few to give: the 99th of a hundred takes more of them.
  while (deaths.length < MOST_DEATHS) deaths.push(...(await latencyIn(size, 0, program)).deaths);
  return { size, hook, death: figures(deaths) };
}

async function latencyIn(
  size: number,
  hooksCount: number,
  program?: string,
): Promise<{ readonly hook: Figures | null; readonly deaths: number[] }> {
  const crowd = startCrowd(size);
  try {
    const daemon = await startDaemon(crowd, undefined, program);
    const heard = listen(crowd);
    await heard.isReady;
    const hook = hooksCount === 0 ? null : await hooks(crowd, heard, hooksCount);
    const times = await deaths(crowd, heard, Math.min(MOST_DEATHS, size - 1));
    heard.stop();
    await endProcess(daemon);
    return { hook, deaths: times };
  } finally {
    crowd.stop();
  }
}

/** One session is told of by its hooks, again and again: it works, it waits, it works. */
async function hooks(crowd: Crowd, heard: Heard, count: number): Promise<Figures> {
  const spool = join(crowd.env.XDG_STATE_HOME ?? '', 'rollcall', 'spool');
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const script = join(crowd.env.XDG_STATE_HOME ?? '', 'hook');
  writeFileSync(script, hookText(spool), { mode: 0o700 });
  const [pane = '', panePid = ''] = panesOf(crowd)[0]?.split(' ') ?? [];
  const [agent = ''] = readFileSync(`/proc/${panePid}/task/${panePid}/children`, 'utf8').trim().split(' ');
  const env = {
    ...crowd.env,
    TMUX: `${crowd.socketPath},${crowd.serverPid},0`,
    TMUX_PANE: pane,
    CLAUDE_PID: agent,
  };
  const session_id = randomUUID();
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const [event, activity] =
      turn % 2 === 0 ? ['UserPromptSubmit', 'working'] : ['PermissionRequest', 'waiting'];
    const seen = heard.next(
      (one) => one.kind === 'session' && JSON.stringify(one.data).includes(`"activity":"${activity}"`),
    );
    const start = performance.now();
    execFileSync(script, ['claude', event ?? ''], {
      env,
      input: JSON.stringify({ session_id, hook_event_name: event, tool_name: 'Bash' }),
    });
    times.push((await seen) - start);
    await pause(100 + Math.random() * 400);
  }
  return figures(times);
}

async function deaths(crowd: Crowd, heard: Heard, count: number): Promise<number[]> {
  const times: number[] = [];
  for (const line of panesOf(crowd).slice(1, count + 1)) {
    const [, pid, name] = line.split(' ');
    const seen = heard.next(
      (one) =>
        one.kind === 'session' &&
        one.data.kind === 'session' &&
        one.data.session.name === name &&
        one.data.to === null,
    );
    await pause(Math.random() * 1000);
    const start = performance.now();
    process.kill(Number(pid), 'SIGKILL');
    times.push((await seen) - start);
  }
  return times;
}

export function panesOf({ socketPath }: Crowd): string[] {
  const format = '#{pane_id} #{pane_pid} #{session_name}';
  return execFileSync('tmux', ['-S', socketPath, 'list-panes', '-a', '-F', format], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

// Its ended children (tmux clients) included; a clock tick is 10 ms.
export function cpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

function percent(ms: number, ofMs: number): number {
  return (ms * 100) / ofMs;
}
