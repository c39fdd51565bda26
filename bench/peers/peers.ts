import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMs } from '../daemon.ts';
import { type Figures, figures, mebibytesIn, pause } from '../measure.ts';
import { bringAgentmux } from './agentmux.ts';
import { bringCcmanager } from './ccmanager.ts';
import type { PeerName } from './known.ts';
import { bringMonit } from './monit.ts';
import type { Bring, Start, Supervised } from './peer.ts';
import { bringPm2 } from './pm2.ts';
import { bringRollcall } from './rollcall.ts';

/** What a supervisor takes while nothing happens, and how soon it tells of a death. */
export interface PeerRow {
  readonly name: PeerName;
  readonly size: number;
  readonly seconds: number;
  /** Percent of one core, with the processes that it starts to look. */
  readonly cpuPercent: number;
  readonly rssMib: number;
  /** Of the tmux server that holds the terminals; null where there is none. */
  readonly serverCpuPercent: number | null;
  readonly serverRssMib: number | null;
  /** From a death to the moment it is told, ms; null for one who never tells. */
  readonly death: Figures | null;
}

/** Who could not be measured, at this size or at all, and why. */
export interface Absent {
  readonly name: PeerName;
  readonly size: number | null;
  readonly why: string;
}

export interface PeersBench {
  readonly rows: readonly PeerRow[];
  readonly absent: readonly Absent[];
}

/** How long is waited, how long is measured and how many programs are killed. */
export interface PeerPace {
  readonly settleMs: number;
  readonly measureMs: number;
  readonly deaths: number;
}

const BRING: Readonly<Record<PeerName, Bring>> = {
  rollcall: bringRollcall,
  pm2: bringPm2,
  monit: bringMonit,
  ccmanager: bringCcmanager,
  agentmux: bringAgentmux,
};

/** Measures everyone who can be had, one after the other on each number of programs; what was brought for it goes again. */
export async function benchPeers(
  sizes: readonly number[],
  pace: PeerPace,
  say: (text: string) => void,
): Promise<PeersBench> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-peers-'));
  const [rows, absent]: [PeerRow[], Absent[]] = [[], []];
  try {
    const starts = new Map<PeerName, Start>();
    for (const name of Object.keys(BRING) as PeerName[]) {
      say(`bringing ${name} …`);
      await BRING[name](join(folder, name))
        .then((start) => starts.set(name, start))
        .catch((cause) => absent.push({ name, size: null, why: String(cause.message) }));
    }
    for (const size of sizes) {
      for (const [name, start] of starts) {
        say(`${name} over ${size} programs …`);
        await measure(name, size, start, pace)
          .then((row) => rows.push(row))
          .catch((cause) => absent.push({ name, size, why: String(cause.message) }));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { rows, absent };
}

async function measure(name: PeerName, size: number, start: Start, pace: PeerPace): Promise<PeerRow> {
  const peer = await start(size);
  try {
    await pause(pace.settleMs);
    // One of them looks every two minutes only: this is measured for as long.
    const measureMs = name === 'agentmux' ? Math.max(120_000, pace.measureMs) : pace.measureMs;
    const server = peer.serverPid ?? undefined;
    const before = [cpuMs(peer.pid), server ? cpuMs(server) : 0] as const;
    await pause(measureMs);
    const after = [cpuMs(peer.pid), server ? cpuMs(server) : 0] as const;
    const percent = (ms: number) => (ms * 100) / measureMs;
    return {
      ...{ name, size, seconds: measureMs / 1000 },
      cpuPercent: percent(after[0] - before[0]),
      rssMib: mebibytesIn(peer.pid, 'VmRSS'),
      serverCpuPercent: server ? percent(after[1] - before[1]) : null,
      serverRssMib: server ? mebibytesIn(server, 'VmRSS') : null,
      death: await deaths(peer, pace.deaths),
    };
  } finally {
    await peer.stop();
  }
}

/** Kills programs at random moments, one after the other; some are left, since a tmux server ends with its last one. */
async function deaths({ programs, told }: Supervised, count: number): Promise<Figures | null> {
  if (told === null) return null;
  const times: number[] = [];
  for (const program of programs.slice(1, count + 1)) {
    await pause(Math.random() * 1000);
    const seen = told(program);
    const start = performance.now();
    process.kill(program.pid, 'SIGKILL');
    times.push((await seen) - start);
  }
  return figures(times);
}
