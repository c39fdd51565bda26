import type { Round } from '../../../src/core/supervision/round.ts';
import type { JournalEntry } from '../machine/journal.ts';
import type { Act } from './acts.ts';
import type { Scene } from './scene.ts';

/** Says in words how a law is broken; null where it holds. */
export type Verdict = string | null;

/** Something that must never happen, or has to happen in the end. Judged by the truth of the world, never by what rollcall believes. */
export interface Law {
  readonly name: string;
  readonly sentence: string;
  watch(scene: Scene): LawWatch;
}

/** A law that looks on. */
export interface LawWatch {
  /** Before rollcall does something to somebody, while all is still as it was. */
  before?(act: Act): Verdict;
  /** After everything that happens. */
  on?(entry: JournalEntry): Verdict;
  /** After each round of a daemon. */
  onRound?(round: Round): Verdict;
  /** After the calm at the end. */
  atEnd?(): Verdict;
}
