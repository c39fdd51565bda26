import type { CloseReport } from '../../core/close/report.ts';
import type { SessionEntry } from '../../core/roll.ts';
import { closeSession } from '../../engine/act/close/close-session.ts';
import type { CloseOrder } from '../../engine/act/close/order.ts';
import { shownOf } from '../../engine/act/close/plan.ts';
import { reportOn, reportOnError } from '../../engine/act/close/report.ts';
import type { Hands } from '../../engine/act/hands.ts';
import { atMost } from './at-most.ts';

/** Each holds its looks and its waits; more would only wait for each other. */
const AT_ONCE = 4;

export interface CloseAll extends Omit<CloseOrder, 'entry'> {
  readonly entries: readonly SessionEntry[];
  onReport(report: CloseReport): void;
}

/** Closes several sessions, some at a time; what becomes of one does not keep another. */
export async function closeAll(hands: Hands, all: CloseAll): Promise<CloseReport[]> {
  return atMost(AT_ONCE, all.entries, async (entry) => {
    const { processes, shown } = shownOf(entry, all.wish, hands.now());
    // A list was printed only where it is forced; without force nothing is signalled but an agent and its helpers.
    const order = all.wish.isForced ? { ...all, entry, shown } : { ...all, entry };
    const report = await closeSession(hands, order)
      .then((result) => reportOn(entry, result, hands.now(), processes))
      .catch((error: unknown) => reportOnError(entry, error));
    all.onReport(report);
    return report;
  });
}
