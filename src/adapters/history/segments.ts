import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { namesInOrThrow } from '../files/look.ts';
import { makeFolderIfMissing } from '../files/own-folder.ts';
import { removeQuietly } from '../files/replace-file.ts';

/** One file of the history. Numbers rise; the highest one is open, older ones are compressed. */
export interface Segment {
  readonly number: number;
  readonly name: string;
  readonly path: string;
  /** When its first record was made, epoch ms. */
  readonly beganAt: number;
  readonly isPacked: boolean;
  readonly bytes: number;
  /** When the next one began; Infinity while there is none. */
  readonly endedAt: number;
}

const NAME = /^(\d{8})-(\d{13})\.jsonl(\.gz)?$/;
/** What a compression that was cut short leaves. */
const HALF = /^\d{8}-\d{13}\.jsonl\.gz\.(?:\d+\.[0-9a-f]+\.)?tmp$/;

export function segmentName(number: number, beganAt: number): string {
  return `${String(number).padStart(8, '0')}-${String(Math.trunc(beganAt)).padStart(13, '0')}.jsonl`;
}

/** All segments, the oldest first; of one that is there in both forms the compressed one, which is whole. */
export function segmentsIn(folder: string): Segment[] {
  const found = new Map<number, Segment>();
  for (const name of namesInOrThrow(folder)) {
    const segment = segmentOf(folder, name);
    if (segment && (segment.isPacked || !found.has(segment.number))) found.set(segment.number, segment);
  }
  const sorted = [...found.values()].sort((a, b) => a.number - b.number);
  return sorted.map((segment, index) => ({ ...segment, endedAt: sorted[index + 1]?.beganAt ?? Infinity }));
}

/** Makes the folder; throws where it is not one of this user's own. */
export function ownFolder(folder: string): void {
  makeFolderIfMissing(folder);
  const { uid } = statSync(join(folder, '..'));
  const entry = lstatSync(folder);
  if (!entry.isDirectory()) throw new Error(`${folder} is not a folder`);
  if (entry.uid !== uid) throw new Error(`${folder} belongs to user ${entry.uid}`);
}

/** Removes what a writer that was killed left half done. */
export function removeHalves(folder: string): void {
  const whole = new Set(segmentsIn(folder).map(({ name }) => name));
  for (const name of namesInOrThrow(folder)) {
    const isDouble = NAME.test(name) && !whole.has(name);
    if (isDouble || HALF.test(name)) removeQuietly(join(folder, name));
  }
}

function segmentOf(folder: string, name: string): Segment | null {
  const match = NAME.exec(name);
  if (!match) return null;
  const path = join(folder, name);
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry?.isFile()) return null;
  const [, number, beganAt, packed] = match;
  return {
    name,
    path,
    number: Number(number),
    beganAt: Number(beganAt),
    isPacked: packed !== undefined,
    bytes: entry.size,
    endedAt: Infinity,
  };
}
