import { TIERS, type Tier } from '../pressure/tier.ts';
import { REAP_EVENTS, REAP_MODES, type ReapEvent, type ReapMode } from '../reaper/standing.ts';
import type { Moment } from '../text/moment.ts';
import { missingIn } from './ledger-events.ts';
import type { HistoryRecord } from './record.ts';
import { type Gap, gapBetween } from './witness.ts';

/** How often something was so, over how many sessions. */
export interface Tally {
  readonly code: string;
  readonly times: number;
  readonly sessions: number;
  /** As it was put the last time. */
  readonly text: string;
}

/** What the reaper did or would have done. */
export interface ReapReport {
  /** Of what the history holds, epoch ms; null where it holds nothing. */
  readonly from: number | null;
  readonly to: number | null;
  readonly watchedMs: number;
  /** Time in which nobody looked. */
  readonly gaps: readonly Gap[];
  readonly tiers: readonly { readonly tier: Tier; readonly ms: number }[];
  readonly modes: readonly { readonly mode: ReapMode; readonly ms: number }[];
  readonly counts: { readonly [K in ReapEvent['kind']]: number };
  /** Everything but what was vetoed, the oldest first. */
  readonly events: readonly ReapEvent[];
  readonly vetoes: readonly Tally[];
  readonly spared: readonly Tally[];
  readonly freedBytes: number;
  /** Of what shadow would have closed, each session once. */
  readonly couldFreeBytes: number;
}

/** Adds records up, in order, to what the reaper did since a time. */
export class ReapTally {
  readonly #since: number;
  readonly #events: ReapEvent[] = [];
  readonly #gaps: Gap[] = [];
  readonly #tierMs = new Map<Tier, number>();
  readonly #modeMs = new Map<ReapMode, number>();
  #tier: Tier | null = null;
  #mode: ReapMode | null = null;
  #from: Moment | null = null;
  #to: Moment | null = null;
  #last: HistoryRecord | null = null;
  #watchedMs = 0;

  constructor(since: number) {
    this.#since = since;
  }

  take(record: HistoryRecord): void {
    // What comes before it only tells what was so when it began.
    if (record.now.at >= this.#since) this.#count(record);
    this.#last = record;
    if (record.kind === 'pressure') this.#tier = record.tier;
    if (record.kind === 'mode') this.#mode = record.mode;
  }

  /** With what only the ledger knows. */
  finish(ledger: readonly ReapEvent[]): ReapReport {
    const recent = ledger.filter(({ at }) => at >= this.#since);
    const all = [...this.#events, ...missingIn(this.#events, recent)].sort((a, b) => a.at - b.at);
    const told = all.filter(({ kind }) => kind !== 'vetoed');
    return {
      ...{ from: this.#from?.at ?? null, to: this.#to?.at ?? null },
      ...{ watchedMs: this.#watchedMs, gaps: this.#gaps },
      tiers: TIERS.map((tier) => ({ tier, ms: this.#tierMs.get(tier) ?? 0 })),
      modes: REAP_MODES.map((mode) => ({ mode, ms: this.#modeMs.get(mode) ?? 0 })),
      counts: countsOf(all),
      events: told,
      vetoes: tallies(all, 'vetoed'),
      spared: tallies(all, 'spared'),
      freedBytes: sum(told.filter(({ kind }) => kind === 'closed')),
      couldFreeBytes: sum(lastOfEach(told.filter(({ kind }) => kind === 'would-close'))),
    };
  }

  #count(record: HistoryRecord): void {
    this.#from ??= record.now;
    this.#to = record.now;
    if (record.kind === 'reap') this.#events.push(record.event);
    const before = this.#last;
    if (before === null || before.now.at < this.#since) return;
    const gap = gapBetween(before, record);
    if (gap) {
      this.#gaps.push(gap);
      return;
    }
    const ms = record.now.awakeMs - before.now.awakeMs;
    this.#watchedMs += ms;
    if (this.#tier) this.#tierMs.set(this.#tier, (this.#tierMs.get(this.#tier) ?? 0) + ms);
    if (this.#mode) this.#modeMs.set(this.#mode, (this.#modeMs.get(this.#mode) ?? 0) + ms);
  }
}

function countsOf(events: readonly ReapEvent[]): ReapReport['counts'] {
  const counts = REAP_EVENTS.map((kind) => [kind, events.filter((event) => event.kind === kind).length]);
  return Object.fromEntries(counts);
}

function tallies(events: readonly ReapEvent[], kind: ReapEvent['kind']): Tally[] {
  const byCode = new Map<string, { times: number; text: string; keys: Set<string | undefined> }>();
  for (const event of events) {
    if (event.kind !== kind) continue;
    const { times, keys } = byCode.get(event.code) ?? { times: 0, keys: new Set() };
    byCode.set(event.code, { times: times + 1, text: event.text, keys: keys.add(event.session?.key) });
  }
  return [...byCode]
    .map(([code, { times, text, keys }]) => ({ code, times, text, sessions: keys.size }))
    .sort((a, b) => b.times - a.times || (a.code < b.code ? -1 : 1));
}

function lastOfEach(events: readonly ReapEvent[]): ReapEvent[] {
  return [...new Map(events.map((event) => [event.session?.key, event])).values()];
}

function sum(events: readonly ReapEvent[]): number {
  return events.reduce((bytes, { memoryBytes }) => bytes + (memoryBytes ?? 0), 0);
}
