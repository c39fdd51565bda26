import type { LedgerEntry } from '../ledger/entry.ts';
import { type Json, numberIn, objectIn, textIn } from '../ledger/json.ts';
import { visible } from '../text/visible.ts';
import { ENDINGS, type GateCase, type GateEnding, gateCases } from './cases.ts';
import { STOP_REASONS, type StopReason } from './decision.ts';
import { type GateStop, gateStopOf } from './recorded-stop.ts';

/** How many contracts came to which end. */
export type EndingCounts = { readonly [E in GateEnding]: number };

/** What the gate did, or would have done, since a time. */
export interface GateReport {
  /** Of the first and the last that was counted, epoch ms; null where nothing was. */
  readonly from: number | null;
  readonly to: number | null;
  /** Every stop, those included that the hook let through by itself. */
  readonly stops: number;
  readonly approved: number;
  readonly wouldBlock: number;
  readonly blocked: number;
  /** Why stops were let through, the most frequent first. */
  readonly reasons: readonly { readonly reason: StopReason; readonly times: number }[];
  readonly agents: readonly { readonly agent: string; readonly stops: number }[];
  /** Contracts whose owner was kept going, or would have been, the oldest first. */
  readonly cases: readonly GateCase[];
  /** How those ended that were blocked at least once. */
  readonly blockedEnds: EndingCounts;
  /** How those ended that were only in shadow. */
  readonly shadowEnds: EndingCounts;
  /** Of what was asked of rollcall; null where nothing was. */
  readonly latency: GateLatency | null;
  /** Changes of mode and switch, the oldest first. */
  readonly changes: readonly { readonly at: number; readonly text: string }[];
}

export interface GateLatency {
  readonly stops: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Adds up what the ledger tells of the gate. `passed`: what the hook let through and nobody has recorded yet. */
export function gateTally(
  entries: readonly LedgerEntry[],
  passed: readonly { readonly agentKind: string }[],
  since: number,
  now: number,
): GateReport {
  const recent = entries.filter(({ at, action }) => at >= since && action.startsWith('gate-'));
  const stops = recent.flatMap((entry) => gateStopOf(entry) ?? []);
  const through = [...recent.flatMap(throughIn), ...passed.map(({ agentKind }) => [agentKind, 1] as const)];
  const letThrough = stops.filter(({ verdict }) => verdict === 'approved');
  const nobody = through.reduce((all, [, times]) => all + times, 0);
  const cases = gateCases(entries, since, now);
  return {
    ...{ from: recent[0]?.at ?? null, to: recent.at(-1)?.at ?? null },
    stops: stops.length + nobody,
    approved: letThrough.length + nobody,
    wouldBlock: timesOf(stops, 'would-block'),
    blocked: timesOf(stops, 'blocked'),
    reasons: reasonsOf(letThrough, nobody),
    agents: agentsOf([...stops.map(({ agent }) => [agent, 1] as const), ...through]),
    cases,
    blockedEnds: endingsOf(cases.filter(({ blocked }) => blocked > 0)),
    shadowEnds: endingsOf(cases.filter(({ blocked }) => blocked === 0)),
    latency: latencyOf(stops),
    changes: recent.flatMap((entry) => changeIn(entry) ?? []),
  };
}

type Counted = readonly [agent: string, times: number];

// What the hook let through by itself, as somebody recorded it.
function throughIn({ kind, action, body }: LedgerEntry): Counted[] {
  if (kind !== 'declared' || action !== 'gate-passed') return [];
  const by = Object.entries(objectIn(body.by) ?? {});
  const counted = by.map(([agent, times]) => [agent, Math.trunc(numberIn(times) ?? 0)] as const);
  return counted.filter(([, times]) => times > 0);
}

function timesOf(stops: readonly GateStop[], verdict: GateStop['verdict']): number {
  return stops.filter((stop) => stop.verdict === verdict).length;
}

function reasonsOf(stops: readonly GateStop[], nobody: number): GateReport['reasons'] {
  return STOP_REASONS.map((reason) => {
    const times = stops.filter((stop) => stop.reason === reason).length;
    return { reason, times: reason === 'nobody-here' ? times + nobody : times };
  })
    .filter(({ times }) => times > 0)
    .sort((a, b) => b.times - a.times);
}

function agentsOf(counted: readonly Counted[]): GateReport['agents'] {
  const byAgent = new Map<string, number>();
  for (const [told, times] of counted) {
    const agent = visible(told, 40);
    byAgent.set(agent, (byAgent.get(agent) ?? 0) + times);
  }
  return [...byAgent]
    .map(([agent, stops]) => ({ agent, stops }))
    .sort((a, b) => b.stops - a.stops || (a.agent < b.agent ? -1 : 1));
}

function endingsOf(cases: readonly GateCase[]): EndingCounts {
  const counts = ENDINGS.map((ending) => [ending, cases.filter((one) => one.ending === ending).length]);
  return Object.fromEntries(counts);
}

function latencyOf(stops: readonly GateStop[]): GateLatency | null {
  const all = stops.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  if (all.length === 0) return null;
  const at = (share: number) => all[Math.ceil(all.length * share) - 1] as number;
  return { stops: all.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

function changeIn({ kind, action, at, body }: LedgerEntry): { at: number; text: string } | null {
  if (kind !== 'declared') return null;
  const word = (value: Json | undefined) => visible(textIn(value) ?? 'none', 300);
  if (action === 'gate-mode') {
    const where = textIn(body.project) === null ? '' : ` in ${word(body.project)}`;
    return { at, text: `mode ${word(body.from)} to ${word(body.to)}${where}` };
  }
  if (action !== 'gate-switch') return null;
  const because = textIn(body.reason) === null ? '' : `: ${word(body.reason)}`;
  return { at, text: `switched ${word(body.state)}${because}` };
}
