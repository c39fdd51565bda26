import { closingPanes } from '../../../core/close/closing-pane.ts';
import { type CloseWish, decideClose } from '../../../core/close/decide.ts';
import { plannedRungs } from '../../../core/close/ladder.ts';
import { type ListedProcess, listing } from '../../../core/close/listing.ts';
import type { CloseReport } from '../../../core/close/report.ts';
import { endWords } from '../../../core/memory/ended.ts';
import { processKey } from '../../../core/sight/identity.ts';
import type { Roll, SessionEntry } from '../../../core/sight/roll.ts';
import type { Hands } from '../hands.ts';
import { agentToSleep, awayOrAsleep } from '../sleep/plan-sleep.ts';
import { subjectOf } from './look-at.ts';
import { reportOn, reportOnPlan } from './report.ts';

/** What closing them would do, by a thorough look. */
export function planAll(
  hands: Hands,
  roll: Roll,
  entries: readonly SessionEntry[],
  wish: CloseWish,
): CloseReport[] {
  const { agents, now } = hands;
  const exitOf = (kind: string) => agents.find((agent) => agent.kind === kind)?.exit;
  return entries.map((entry) => {
    const early = wish.isToSleep ? awayOrAsleep(hands, subjectOf(entry), { entry }) : null;
    if (early !== null) return reportOn(entry, early, now());
    const decision = decideClose(entry, wish);
    if (decision.state === 'gone') return reportOnPlan(entry, goneText(entry));
    if (decision.state === 'refused') return reportOn(entry, decision, now());
    const panes = closingPanes(entry, roll.at);
    const sleepy = wish.isToSleep ? agentToSleep(entry, panes) : null;
    if (sleepy !== null && 'state' in sleepy) return reportOn(entry, sleepy, now());
    const planned = plannedRungs(panes, wish, exitOf);
    const processes = listing(panes, wish);
    const what = wish.isToSleep ? 'would be put to sleep' : 'would be closed';
    const text = decision.state === 'go' ? what : `${what} once it was seen at rest for longer`;
    const report = reportOnPlan(entry, text, planned, decision.waived, processes);
    return wish.isToSleep ? { ...report, result: 'would-sleep' } : report;
  });
}

function goneText({ lifecycle, ended, reasons }: SessionEntry): string {
  if (lifecycle === 'closed') return reasons[0]?.text ?? 'it is closed';
  return `would be settled: it ${ended ? endWords(ended) : 'is lost'}`;
}

/** What a close of it would signal, for whoever is to be shown before it is done, and for the close itself. */
export function shownOf(
  entry: SessionEntry,
  wish: CloseWish,
  now: number,
): { readonly processes: readonly ListedProcess[]; readonly shown: ReadonlySet<string> } {
  const processes = listing(closingPanes(entry, now), wish);
  return { processes, shown: new Set(processes.filter(({ what }) => what === 'end').map(processKey)) };
}
