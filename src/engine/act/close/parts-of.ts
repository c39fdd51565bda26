import { aboutEntry, type ReceiptParts } from '../../../core/close/receipt.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { resumeAsleep } from '../sleep/carried-over.ts';
import type { Sight } from './look-at.ts';
import type { CloseOrder } from './order.ts';

/** What every receipt says of the session and of the wish. */
export function partsOf(
  hands: Hands,
  { wish, reason }: CloseOrder,
  { entry, panes }: Extract<Sight, { state: 'there' }>,
): Pick<ReceiptParts, 'reason' | 'about' | 'despite' | 'isForced' | 'resume' | 'claims'> {
  const told = panes.map(({ told }) => told?.resume).find((argv) => argv !== undefined);
  const resume = told ?? resumeAsleep(hands, entry.key);
  const { despite, isForced } = wish;
  const claims = factsOf(hands, entry)?.claims ?? null;
  return { reason, about: aboutEntry(entry), despite, isForced, resume, claims };
}
