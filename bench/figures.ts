import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DaemonBench } from './daemon.ts';
import type { DoctorBench } from './doctor.ts';
import type { GateBench } from './gate.ts';
import type { GuardBench } from './guard.ts';
import type { HookCost } from './hook.ts';
import type { PeersBench } from './peers/peers.ts';
import type { LooksBench } from './report.ts';

/** Every part of the benchmark by its name, and what it measures. */
export interface Measured {
  readonly looks: LooksBench;
  readonly hook: HookCost;
  readonly gate: GateBench;
  readonly guard: GuardBench;
  readonly daemon: DaemonBench;
  readonly peers: PeersBench;
  readonly doctor: DoctorBench;
}

export type PartName = keyof Measured;

/** The figures of one part, with the day and the machine of its last run. */
export interface Taken<T> {
  readonly on: string;
  readonly machine: string;
  /** Processes that ran or waited for a core just before; unknown of old runs. */
  readonly load: number | null;
  readonly figures: T;
}

/** The last figures of every part that was ever run: the page and its curves are made of them, so it is whole whatever was run last. */
export type AllFigures = { readonly [K in PartName]?: Taken<Measured[K]> };

/** The figures in a file; none if there is no such file yet. */
export function readFigures(path: string): AllFigures {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as AllFigures;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw cause;
  }
}

/** Keeps the figures, each with no more digits than were measured. */
export function writeFigures(path: string, figures: AllFigures): void {
  const short = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, short, 2)}\n`);
}
