import type { Digest, Head } from './chain.ts';
import type { Folded, SessionFacts } from './current-facts.ts';
import type { LedgerEntry } from './entry.ts';
import type { Loss } from './loss.ts';

/** The ledger, folded up to an entry of one of its databases. */
export interface Checkpoint {
  /** The database that the entry is in: a repair begins another one, and what was known before it counts no more. */
  readonly file: string;
  readonly head: Head;
  readonly folded: Folded;
  /** How the ledger's files looked before it was read; null where they were too young to be known by their looks. */
  readonly mark: string | null;
}

/** Raised whenever the facts hold more, or are folded in another way: what an older rollcall folded is then folded anew. */
const FORMAT = 7;

/** A checkpoint as it lies in a file, under a hash of all of it. */
export interface SealedCheckpoint {
  readonly sha256: string;
  readonly content: Content;
}

interface Content {
  readonly format: typeof FORMAT;
  readonly file: string;
  readonly head: Head;
  readonly mark: string | null;
  readonly facts: readonly SessionFacts[];
  readonly openIntents: readonly LedgerEntry[];
  readonly loss: Loss | null;
  readonly settledFor: Folded['settledFor'];
}

/** A checkpoint as it is written. */
export function sealCheckpoint({ file, head, mark, folded }: Checkpoint, digest: Digest): SealedCheckpoint {
  const content: Content = {
    ...{ format: FORMAT, file, head, mark, loss: folded.loss, settledFor: folded.settledFor },
    facts: [...folded.facts.values()],
    openIntents: [...folded.openIntents.values()],
  };
  return { sha256: digest(JSON.stringify(content)), content };
}

/** Whether what was read is a checkpoint of this format to the last byte. Its own program wrote it, so its hash is enough. */
export function isSealed(value: unknown, digest: Digest): value is SealedCheckpoint {
  if (typeof value !== 'object' || value === null) return false;
  const { sha256, content } = value as Partial<SealedCheckpoint>;
  return content?.format === FORMAT && sha256 === digest(JSON.stringify(content));
}

export function openCheckpoint({ content }: SealedCheckpoint): Checkpoint {
  const { file, head, mark, facts, openIntents, loss, settledFor } = content;
  return {
    ...{ file, head, mark },
    folded: {
      facts: new Map(facts.map((one) => [one.key, one])),
      openIntents: new Map(openIntents.map((one) => [one.sequence, one])),
      ...{ loss, settledFor },
    },
  };
}
