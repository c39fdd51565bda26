import type { ConversationClues } from '../core/conversation/clues.ts';
import type { Leaving } from '../core/conversation/room.ts';

export type CopyKept =
  /** On the disk, whole, read back and compared; `leaving` had to go for it. */
  | {
      readonly state: 'kept';
      /** SHA-256 of its index, which has those of its files. */
      readonly digest: string;
      readonly bytes: number;
      readonly leaving: readonly Leaving[];
    }
  | { readonly state: 'not-kept'; readonly text: string };

export type PutBack =
  /** The files that were missing and are there again. */
  | { readonly state: 'done'; readonly paths: readonly string[] }
  /** `removedAt`: it went to make room. */
  | { readonly state: 'absent'; readonly removedAt: number | null }
  /** It is not what was kept, and nothing of it is used. */
  | { readonly state: 'changed'; readonly text: string }
  /** It is whole, and could not be written to its place. */
  | { readonly state: 'failed'; readonly text: string };

/** A copy that went to make room. */
export interface RemovedCopy {
  readonly name: string;
  readonly removedAt: number;
  readonly clues: ConversationClues;
  /** Where its agent kept it. */
  readonly path: string;
}

/** What the copies take, and what had to go. */
export interface CopiesSighting {
  readonly bytes: number;
  readonly count: number;
  readonly removed: readonly RemovedCopy[];
}

/** Copies of conversations, private and bounded in total. None of it throws. */
export interface Conversations {
  /**
   * Keeps these files, of which the first is the one that the agent finds its conversation by. A file that is written to
   * meanwhile is not copied. What is kept under that name already stays as it is.
   */
  keep(name: string, clues: ConversationClues, files: readonly string[]): Promise<CopyKept>;
  /** Puts every file back that is missing, and never replaces one; the first file comes last. */
  putBack(name: string, digest: string): Promise<PutBack>;
  /** Of what a copy is, with the place of its first file; null where there is no such copy. */
  cluesOf(name: string): ConversationClues | null;
  list(): CopiesSighting;
}
