import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { textIn } from '../../../core/ledger/json-values.ts';
import { seenAsleep } from '../../../core/sleep/with-sleep.ts';
import type { KeptStart } from '../../../core/start.ts';
import type { Hands } from '../hands.ts';

/** What a session is made from in which an agent sleeps. */
export interface SinceAsleep {
  readonly document: JsonObject;
  readonly start: KeptStart | null;
  /** Why what happened in it since cannot be used. */
  readonly missing: readonly string[];
}

/**
 * A session whose agent sleeps goes on: windows are opened in it, it is renamed. So it is made as it was last seen, with the
 * agent of the archive; and as it was archived where nobody saw it since.
 */
export function sinceAsleep(
  { layouts }: Pick<Hands, 'layouts'>,
  { facts: { key, asleep }, receipt }: ClosedSession,
  { document, start }: Pick<SinceAsleep, 'document' | 'start'>,
): SinceAsleep {
  const archived = { document, start };
  if (asleep === undefined || textIn(receipt?.body.receipt) !== asleep.receipt)
    return { ...archived, missing: [] };
  const read = layouts.of(key);
  if (read.state === 'refused') return { ...archived, missing: [`${NOT_KNOWN}: ${read.text}`] };
  if (read.state !== 'read' || read.layout.at < asleep.at) return { ...archived, missing: [] };
  const { paneId } = asleep;
  const seen = seenAsleep(read.layout.document, { receipt: asleep.receipt, paneId, document });
  if (seen === null) return { ...archived, missing: [`${NOT_KNOWN}: pane ${paneId} was not in it any more`] };
  return { document: seen, start: start && { ...start, paneId }, missing: [] };
}

const NOT_KNOWN = 'what happened in it while its agent slept does not come back';
