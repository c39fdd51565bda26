import { benchDaemon } from './daemon.ts';
import { scenesFor } from './daemon-scenes.ts';
import { benchDoctor } from './doctor.ts';
import type { Measured, PartName } from './figures.ts';
import { benchGate } from './gate.ts';
import { benchGuard } from './guard.ts';
import { benchHook } from './hook.ts';
import { benchLooks } from './looks.ts';
import { benchPeers, type PeerPace } from './peers/peers.ts';
import { peerLines } from './peers/section.ts';
import { daemonLines, doctorLines, gateLines, guardLines, hookLine, table } from './report.ts';

/** How thorough a run is. */
export interface Pace {
  readonly rounds: number;
  readonly warmUp: number;
  readonly hooks: number;
  readonly stops: number;
  readonly hungStops: number;
  readonly guardDeaths: number;
  readonly daemonEvents: number;
  readonly peers: PeerPace;
}

export const THOROUGH: Pace = {
  ...{ rounds: 25, warmUp: 30, hooks: 200, stops: 40, hungStops: 5, guardDeaths: 9, daemonEvents: 100 },
  peers: { settleMs: 45_000, measureMs: 60_000, deaths: 40 },
};

/** Only to see that everything runs: its figures are worth nothing. */
export const QUICK: Pace = {
  ...{ rounds: 3, warmUp: 3, hooks: 5, stops: 3, hungStops: 1, guardDeaths: 1, daemonEvents: 5 },
  peers: { settleMs: 2_000, measureMs: 5_000, deaths: 5 },
};

interface Part<T> {
  readonly about: string;
  /** What the help says of the sizes; null for a part that has none. */
  readonly sizes: string | null;
  /** On other numbers of sessions than the usual ones, if any are given. */
  measure(sizes: readonly number[] | null, pace: Pace, say: (text: string) => void): Promise<T>;
  /** For a terminal. */
  lines(figures: T): string;
}

/** Among the processes of a busy machine too. */
const DOCTOR = [
  { sessions: 30, processes: 0 },
  { sessions: 300, processes: 1050 },
];

/** Every part that can be run by itself. */
export const PARTS: { readonly [K in PartName]: Part<Measured[K]> } = {
  looks: {
    about: 'one look, in a running process and as a command, beside the floor',
    sizes: '10,100,300,1000',
    measure: (sizes, pace, say) => benchLooks(sizes ?? [10, 100, 300, 1000], pace, say),
    lines: ({ rows }) => table(rows),
  },
  hook: {
    about: 'one hook, beside the least that a hook can cost',
    sizes: null,
    measure: (_, { hooks }) => benchHook(hooks),
    lines: hookLine,
  },
  gate: {
    about: 'the end of a turn of an owner of unfinished work',
    sizes: null,
    measure: (_, { stops, hungStops }) => benchGate(stops, hungStops),
    lines: gateLines,
  },
  guard: {
    about: 'from a death to the sentinel, beside five polls',
    sizes: null,
    measure: (_, { guardDeaths }) => benchGuard(guardDeaths),
    lines: guardLines,
  },
  daemon: {
    about: 'the daemon at rest, and how soon it tells',
    sizes: '200,500,1000',
    measure: (sizes, { daemonEvents }, say) => benchDaemon(scenesFor(sizes, daemonEvents), say),
    lines: daemonLines,
  },
  peers: {
    about: 'pm2, monit, ccmanager, agentmux: brought by npm and apt into a temporary folder',
    sizes: '50,200,500',
    measure: (sizes, { peers }, say) => benchPeers(sizes ?? [50, 200, 500], peers, say),
    lines: peerLines,
  },
  doctor: {
    about: 'a whole run of the doctor, beside the usual way',
    sizes: '30,300',
    measure: (sizes, { rounds }, say) =>
      benchDoctor(sizes?.map((sessions) => ({ sessions, processes: 0 })) ?? DOCTOR, rounds, say),
    lines: doctorLines,
  },
};
