import { closingPanes } from '../../../core/close/closing-pane.ts';
import { type CloseWish, decideClose } from '../../../core/close/decide.ts';
import { plannedRungs } from '../../../core/close/ladder.ts';
import { type ListedProcess, listing } from '../../../core/close/listing.ts';
import type { CloseReport } from '../../../core/close/report.ts';
import { endWords } from '../../../core/ended.ts';
import { processKey } from '../../../core/identity.ts';
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
    if (decision.state === 'gone') return reportOnPlan(entry, goneText(entry));
    if (decision.state === 'refused') return reportOn(entry, decision, now());
    const panes = closingPanes(entry, roll.at);
    const planned = plannedRungs(panes, wish, exitOf);
    const processes = listing(panes, wish);
    const text =
      decision.state === 'go' ? 'would be closed' : 'would be closed once it was seen at rest for longer';
    return reportOnPlan(entry, text, planned, decision.waived, processes);
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
