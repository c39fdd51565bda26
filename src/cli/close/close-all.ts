import type { CloseReport } from '../../contract/close-document.ts';
import { closingPanes } from '../../core/close/closing-pane.ts';
import type { CloseWish } from '../../core/close/decide.ts';
import { decideClose } from '../../core/close/decide.ts';
import { plannedRungs } from '../../core/close/ladder.ts';
import type { Roll, SessionEntry } from '../../core/roll.ts';
import { closeSession } from '../../engine/act/close/close-session.ts';
import type { CloseOrder } from '../../engine/act/close/order.ts';
import type { Hands } from '../../engine/act/hands.ts';
import { atMost } from './at-most.ts';
import { reportOn, reportOnError, reportOnPlan } from './report.ts';

/** Each holds its looks and its waits; more would only wait for each other. */
const AT_ONCE = 4;

export interface CloseAll extends Omit<CloseOrder, 'entry'> {
  readonly entries: readonly SessionEntry[];
  onReport(report: CloseReport): void;
}

/** Closes several sessions, some at a time; what becomes of one does not keep another. */
export async function closeAll(hands: Hands, all: CloseAll): Promise<CloseReport[]> {
  return atMost(AT_ONCE, all.entries, async (entry) => {
    const report = await closeSession(hands, { ...all, entry })
      .then((result) => reportOn(entry, result, hands.now()))
      .catch((error: unknown) => reportOnError(entry, error));
    all.onReport(report);
    return report;
  });
}

/** What closing them would do, by a thorough look. */
export function planAll(
  { agents, now }: Hands,
  roll: Roll,
  entries: readonly SessionEntry[],
  wish: CloseWish,
): CloseReport[] {
  const exitOf = (kind: string) => agents.find((agent) => agent.kind === kind)?.exit;
  return entries.map((entry) => {
    const decision = decideClose(entry, wish);
    if (decision.state === 'gone') return reportOnPlan(entry, 'would be settled: it is lost');
    if (decision.state === 'refused') return reportOn(entry, decision, now());
    const planned = plannedRungs(closingPanes(entry, roll.at), wish, exitOf);
    return decision.state === 'go'
      ? reportOnPlan(entry, 'would be closed', planned, decision.waived)
      : reportOnPlan(entry, 'would be closed once it was seen at rest for longer', planned);
  });
}
