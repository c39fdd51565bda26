import { ENDINGS, type GateCase, type GateEnding } from '../../core/gate/cases.ts';
import type { StopReason } from '../../core/gate/decision.ts';
import type { EndingCounts, GateReport } from '../../core/gate/report.ts';
import { counted } from '../../core/text/counted.ts';
import { lastOf, section } from '../backtest/history-words.ts';
import { localTime } from '../render/amounts.ts';
import { type Line, line, padLine, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

const SHOWN = 20;

const NOTHING_YET =
  'No stop was seen in that time. The gate is asked by the agents’ hooks: rollcall hooks install puts them in, rollcall gate start gives an agent something to finish. It is in shadow mode unless you change it, so nothing is blocked.';

/** The page of `rollcall gate report`. */
export function gateReportLines(report: GateReport, width: number | null): Line[] {
  if (report.stops === 0 && report.changes.length === 0 && report.cases.length === 0)
    return paragraph(NOTHING_YET, width);
  return [
    ...paragraph(seenText(report), width),
    ...table('WHY STOPS WERE LET THROUGH', reasonRows(report), width),
    ...section('HOW THE BLOCKED ONES ENDED', endingTexts(report.blockedEnds), width),
    ...section('HOW THOSE ENDED THAT WOULD HAVE BEEN', endingTexts(report.shadowEnds), width),
    ...section('CONTRACTS', lastOf(report.cases.map(caseText), SHOWN), width),
    ...section('TIME', latencyTexts(report), width),
    ...section('CHANGES', lastOf(changeTexts(report), SHOWN), width),
  ];
}

function seenText({ stops, approved, wouldBlock, blocked, agents, from, to }: GateReport): string {
  const when = from === null || to === null ? '' : ` between ${localTime(from)} and ${localTime(to)}`;
  const by = agents.length === 0 ? '' : ` (${agents.map((one) => `${one.agent} ${one.stops}`).join(', ')})`;
  return `${counted(stops, 'stop')} seen${when}${by}: ${approved} let through, ${wouldBlock} would have been blocked, ${blocked} blocked.`;
}

function reasonRows({ reasons }: GateReport): [string, string][] {
  return reasons.map(({ reason, times }) => [String(times), `${reason}: ${WORDS[reason]}`]);
}

const WORDS: Readonly<Record<StopReason, string>> = {
  'nobody-here': 'nobody owns anything in that pane',
  'switched-off': 'rollcall gate off',
  'mode-off': 'the mode is off there',
  'no-contract': 'its contract is gone',
  ended: 'the work was finished or given up before',
  expired: 'its time was over',
  unstamped: 'whose work it is was never known for sure',
  'payload-unreadable': 'the agent’s event was not understood',
  'identity-unknown': 'nobody could tell who stopped',
  subagent: 'a subagent is not the owner',
  'another-agent': 'another kind of agent',
  'another-pane': 'an agent in another pane',
  'another-process': 'another agent in the owner’s pane',
  'another-conversation': 'another conversation than the owner’s',
  'not-its-hook': 'the hook was called by something below the agent',
  interrupted: 'its user interrupted it',
  'checks-met': 'everything that was asked for held',
  'checks-unknown': 'nothing was known to be missing',
  'same-stop': 'two hooks reported one stop',
  'same-evidence': 'nothing had changed since it was kept going',
  'budget-spent': 'it was kept going as often as it may be',
  'agent-cap': 'the agent would have overridden one more',
  'held-by-another': 'another stop hook kept it going',
  'out-of-time': 'there was not enough time',
  failed: 'rollcall could not do its part',
  'checks-unmet': 'something was missing',
};

// Numbers stand under each other.
function table(title: string, rows: readonly [string, string][], width: number | null): Line[] {
  if (rows.length === 0) return [];
  const room = Math.max(...rows.map(([amount]) => amount.length)) + 2;
  return [
    line(),
    line(title, 'heading'),
    ...rows.flatMap(([amount, text]) =>
      wrap([...padLine([span(amount)], room, 'right'), span('  ')], line(text), width),
    ),
  ];
}

const ENDS: Readonly<Record<GateEnding, string>> = {
  met: 'met what was asked for later',
  forced: 'declared finished although something was missing',
  'let-go': 'let go with something missing',
  abandoned: 'abandoned',
  expired: 'over their time',
  open: 'still open',
};

function endingTexts(ends: EndingCounts): string[] {
  return ENDINGS.flatMap((ending) => (ends[ending] > 0 ? [`${ends[ending]}  ${ENDS[ending]}`] : []));
}

function caseText({ gate, session, task, blocked, wouldBlock, firstAt, ending, text }: GateCase): string {
  const times = [
    ...(blocked > 0 ? [`blocked ${counted(blocked, 'time')}`] : []),
    ...(wouldBlock > 0 ? [`would have been ${counted(wouldBlock, 'time')}`] : []),
  ].join(', ');
  const what = task === null ? '' : ` (${task})`;
  const how = text === '' ? ending : `${ending}: ${text}`;
  return `${localTime(firstAt)}  ${gate} ${session ?? '-'}${what}: ${times}; ${how}`;
}

function changeTexts({ changes }: GateReport): string[] {
  return changes.map(({ at, text }) => `${localTime(at)}  ${text}`);
}

function latencyTexts({ latency }: GateReport): string[] {
  if (latency === null) return [];
  const { stops, p50Ms, p99Ms, maxMs } = latency;
  const ms = (amount: number) => `${Math.round(amount)} ms`;
  return [
    `${counted(stops, 'stop')} that rollcall was asked about: half within ${ms(p50Ms)}, 99 of 100 within ${ms(p99Ms)}, the longest ${ms(maxMs)}`,
  ];
}
