import type { SessionFacts } from '../core/ledger/current-facts.ts';

/** What the ledger says about sessions now, by session key. */
export type DeclaredReading =
  | {
      readonly state: 'read';
      readonly facts: ReadonlyMap<string, SessionFacts>;
      /** The same of one session, also where only a loss of entries speaks of it. */
      about(key: string): SessionFacts | undefined;
    }
  /** Something was declared and cannot be read: nothing may be closed on what is left. */
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };

/** Reads it for every look, so it must cost next to nothing where nothing has changed or was ever declared. */
export interface DeclaredFacts {
  /** A promise only where the ledger itself has to be opened. */
  current(): DeclaredReading | Promise<DeclaredReading>;
}
