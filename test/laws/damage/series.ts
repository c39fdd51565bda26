import type { Damage } from './case.ts';
import type { Sample, SampleName } from './sample.ts';

/** Every place of one file that is damaged in one way. */
export interface Series {
  readonly sample: SampleName;
  readonly file: string;
  readonly how: Damage['how'];
  readonly from: number;
  readonly to: number;
}

const DATABASE = 'ledger.db';
const JOURNAL = 'ledger.db-wal';
const LAST = 64 * 1024;

/** What is damaged, and how: which file of which ledger, cut over its last 64 KiB or with a bit turned in every byte. */
const PLAN: readonly (readonly [SampleName, string, Damage['how']])[] = [
  ['large', DATABASE, 'cut'],
  ['large-open', JOURNAL, 'cut'],
  ['open', DATABASE, 'cut'],
  ['young', JOURNAL, 'cut'],
  ['closed', DATABASE, 'flip'],
  ['open', DATABASE, 'flip'],
  ['open', JOURNAL, 'flip'],
  ['young', JOURNAL, 'flip'],
  ['open', 'ledger.head', 'cut'],
  ['open', 'ledger.head', 'flip'],
  ['open', 'witness.json', 'cut'],
  ['open', 'witness.json', 'flip'],
];

export function seriesOf(samples: ReadonlyMap<SampleName, Sample>): Series[] {
  return PLAN.map(([sample, file, how]) => {
    const size = samples.get(sample)?.files[file]?.length ?? 0;
    return { sample, file, how, from: how === 'cut' ? Math.max(0, size - LAST) : 0, to: size };
  });
}

/** Of the places of a series every so manieth, from a first one on. */
export function placesOf({ from, to }: Pick<Series, 'from' | 'to'>, every = 1, first = 0): number[] {
  const count = Math.max(0, Math.ceil((to - from - first) / every));
  return Array.from({ length: count }, (_, index) => from + first + index * every);
}

/** Every 16th case is also read in every other way, and recorded onto: each costs as much as five others. */
export function isEachInMany(at: number): boolean {
  return at % 16 === 0;
}
