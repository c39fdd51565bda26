import { type Received, readReceived } from '../../../core/close/bodies.ts';
import { withEnded } from '../../../core/close/ended.ts';
import type { KeptDocument } from '../../../core/close/kept-document.ts';
import { sealOf } from '../../../core/close/seal.ts';
import { isPartial, type LedgerEntry } from '../../../core/ledger/entry.ts';
import type { Hands } from '../hands.ts';

/**
 * The document of a session with the agent that a close ended in it before it stopped: whoever makes the session again from a
 * later close gets that agent, too. As it is where there is no such agent, or somebody has started it again.
 */
export function withEndedBefore(hands: Hands, key: string, seen: KeptDocument): KeptDocument {
  const body = endedBefore(hands, key);
  const archived = hands.archive.read(body?.receipt ?? '');
  if (body === null || archived.state !== 'read' || sealOf(body, archived.digest) !== 'whole') return seen;
  return withEnded(seen, archived.document, body.resume);
}

/** How the agent is resumed that a close ended before it stopped; null where there is none. */
export function resumeEndedBefore(hands: Hands, key: string): readonly string[] | null {
  return endedBefore(hands, key)?.resume ?? null;
}

type Ended = Received & { readonly resume: readonly string[] };

function endedBefore({ ledger }: Hands, key: string): Ended | null {
  const { entries } = ledger.read({ about: key });
  const over = entries.findLastIndex((one) => isWakingOrWhole(one));
  const receipts = entries.slice(over + 1).filter(({ kind }) => kind === 'receipt');
  const found = receipts.map(({ body }) => readReceived(body)).findLast(({ resume }) => resume !== null);
  if (found?.resume == null || found.receipt === null) return null;
  const isAgain = ledger.read({ about: found.receipt }).entries.some(({ action }) => action === 'reopen');
  return isAgain ? null : { ...found, resume: found.resume };
}

// What was said in the conversation since is in no earlier archive.
function isWakingOrWhole(entry: LedgerEntry): boolean {
  return entry.action === 'wake' || (entry.kind === 'receipt' && !isPartial(entry));
}
