import { closingPanes } from '../../../core/close/closing-pane.ts';
import { type CloseWish, decideClose } from '../../../core/close/decide.ts';
import { plannedRungs } from '../../../core/close/ladder.ts';
import type { CloseReport } from '../../../core/close/report.ts';
import type { Roll, SessionEntry } from '../../../core/roll.ts';
import type { Hands } from '../hands.ts';
import { reportOn, reportOnPlan } from './report.ts';

/** What closing them would do, by a thorough look. */
export function planAll(
  { agents, now }: Pick<Hands, 'agents' | 'now'>,
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
