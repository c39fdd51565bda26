import type { Damage } from './case.ts';
import { AUTHOR, type Sample } from './sample.ts';

/** Where an entry lies in a file, every byte of it. */
interface Copy {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Bytes of a row before its first text: its length, its number, the types of its columns, its time; a few more do no harm. */
const BEFORE_TEXT = 60;

const known = new WeakMap<Sample, readonly (readonly Copy[])[]>();

/**
 * How many entries from the first on have a copy that a damage leaves whole, by their bytes: the chain proves at least
 * these, whatever SQLite can still read.
 */
export function provableAfter(sample: Sample, damage: Damage): number {
  const copies = known.get(sample) ?? copiesIn(sample);
  known.set(sample, copies);
  const lost = copies.findIndex((all) => all.every((copy) => isHit(copy, damage)));
  return lost === -1 ? copies.length : lost;
}

function isHit({ file, from, to }: Copy, damage: Damage): boolean {
  if (file !== damage.file) return false;
  return damage.how === 'cut' ? damage.at < to : damage.at >= from && damage.at < to;
}

function copiesIn({ files, entries }: Sample): Copy[][] {
  const { host, bootId, actor } = AUTHOR;
  return entries.map(({ previous, hash }) =>
    Object.entries(files).flatMap(([file, bytes]) =>
      // The last two columns; nothing else in the file has both of them in a row.
      placesOf(bytes, `${previous}${hash}`).map((at) => ({
        ...{ file, to: at + previous.length + hash.length },
        from: bytes.lastIndexOf(`${host}${bootId}${actor.kind}`, at) - BEFORE_TEXT,
      })),
    ),
  );
}

function placesOf(bytes: Buffer, text: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) found.push(at);
  return found;
}
