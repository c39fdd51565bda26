import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf } from './case.ts';
import { judge } from './judge.ts';
import { letGo } from './let-go.ts';
import type { Sample } from './sample.ts';
import { isEachInMany, type Series } from './series.ts';

/** What became of some cases of a series. */
export interface Told {
  readonly cases: number;
  readonly thorough: number;
  /** Cases by what was said of them: `whole`, or why the ledger is damaged. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Cases in which no entry was lost. */
  readonly lossless: number;
  readonly violations: readonly string[];
}

/** Plays the cases at these places, one after the other. */
export async function playBatch(
  folder: string,
  sample: Sample,
  { file, how }: Pick<Series, 'file' | 'how'>,
  places: readonly number[],
  isThoroughAt = isEachInMany,
): Promise<Told> {
  const reasons: Record<string, number> = {};
  const violations: string[] = [];
  const rooms: string[] = [];
  let [lossless, thorough] = [0, 0];
  for (const at of places) {
    const damage = { file, how, at };
    const isThorough = isThoroughAt(at);
    const room = join(folder, String(at));
    const judged = await judge(room, sample, damage, isThorough);
    rooms.push(room);
    if (rooms.length >= ROOMS) await clear(rooms);
    if (isThorough) thorough += 1;
    if (judged.kept === sample.entries.length) lossless += 1;
    reasons[judged.reason] = (reasons[judged.reason] ?? 0) + 1;
    for (const text of judged.violations) violations.push(`${sample.name}, ${nameOf(damage)}: ${text}`);
  }
  await clear(rooms);
  return { cases: places.length, thorough, reasons, lossless, violations };
}

/** Each has a few files open until it is let go. */
const ROOMS = 20;

// Only what is closed: another file may get the inode of one that is gone, by which SQLite knows those that it has open.
async function clear(rooms: string[]): Promise<void> {
  await letGo();
  for (const room of rooms.splice(0)) rmSync(room, { recursive: true, force: true });
}

/** Several of them together. */
export function together(all: readonly Told[]): Told {
  const reasons: Record<string, number> = {};
  for (const told of all)
    for (const [reason, count] of Object.entries(told.reasons))
      reasons[reason] = (reasons[reason] ?? 0) + count;
  const sum = (pick: (told: Told) => number) => all.reduce((count, told) => count + pick(told), 0);
  return {
    ...{ cases: sum((told) => told.cases), thorough: sum((told) => told.thorough), reasons },
    lossless: sum((told) => told.lossless),
    violations: all.flatMap((told) => told.violations),
  };
}
