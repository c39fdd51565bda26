import { grouped } from '../grouped.ts';
import type { HistoryRecord, SeenRecord } from '../history/record.ts';
import { type Gap, gapBetween, type Witnessed, witnessed } from '../history/witness.ts';
import type { Tier } from '../pressure/tier.ts';
import type { ReapEvent } from '../reaper/standing.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import { Followed } from './aftermath.ts';
import type { Foresight } from './foresight.ts';
import { MockReaper } from './mock-reaper.ts';
import { replay } from './replayed-session.ts';
import type { BacktestClose, BacktestResult, BacktestRules, RecordedClose } from './result.ts';

/** Rounds of the daemon while something is about to happen. */
const STEP_MS = 15_000;
/** What is at work is not asked in each of them. */
const BUSY_MS = 60_000;

interface Live {
  readonly session: Witnessed;
  readonly entry: SessionEntry | null;
  readonly judgedMs: number;
  readonly lent: BacktestClose['lent'];
}

/** Replays records, in order, through a policy. The same records give the same answer. */
export class Backtest {
  readonly #rules: BacktestRules;
  readonly #foresight: Foresight;
  readonly #reaper: MockReaper;
  readonly #live = new Map<string, Live>();
  /** Closed in the replay, and still there in the record. */
  readonly #away = new Map<string, Witnessed>();
  readonly #keys = new Set<string>();
  readonly #guards = new Map<string, string>();
  readonly #closes = new Followed<BacktestClose>();
  readonly #recorded = new Followed<RecordedClose>();
  readonly #gaps: Gap[] = [];
  #unseen = new Set<string>();
  #tier: Tier = 'normal';
  #first: Moment | null = null;
  #last: HistoryRecord | null = null;
  #tickMs = Number.NEGATIVE_INFINITY;
  #watchedMs = 0;
  #pressedMs = 0;

  constructor(rules: BacktestRules, foresight: Foresight) {
    this.#rules = rules;
    this.#foresight = foresight;
    this.#reaper = new MockReaper(rules.reaper);
  }

  take(record: HistoryRecord): void {
    if (record.now.at >= this.#rules.since) this.#first ??= record.now;
    if (this.#last) this.#pass(this.#last, record);
    this.#last = record;
    switch (record.kind) {
      case 'seen':
        this.#seen(record);
        break;
      case 'gone':
        this.#live.delete(record.key);
        this.#closes.gone(record);
        this.#recorded.gone(record);
        break;
      case 'pressure':
        this.#tier = record.tier;
        break;
      case 'reap':
        this.#reaped(record.event, record.now);
        break;
      default:
    }
  }

  finish(): BacktestResult {
    const end = this.#last?.now ?? { at: 0, awakeMs: 0, suspendedMs: 0 };
    const to = this.#first && end.at;
    return {
      ...{ from: this.#first?.at ?? null, to, watchedMs: this.#watchedMs },
      ...{ gaps: this.#gaps, pressedMs: this.#pressedMs, sessions: this.#keys.size },
      closes: this.#closes.finish(end),
      recorded: this.#recorded.finish(end),
      kept: this.#kept(),
    };
  }

  #pass(before: HistoryRecord, after: HistoryRecord): void {
    const gap = gapBetween(before, after);
    if (gap) {
      this.#unwatched(gap, after);
      return;
    }
    // What comes before that time only tells how everything stood when it began.
    if (before.now.at < this.#rules.since) return;
    const elapsedMs = after.now.awakeMs - before.now.awakeMs;
    this.#watchedMs += elapsedMs;
    const tier = this.#rules.tier ?? this.#tier;
    if (tier !== 'normal') this.#pressedMs += elapsedMs;
    if (before.kind !== 'start' && elapsedMs > 0) this.#missUnseen();
    this.#tick(before.now, after.now.awakeMs, tier);
  }

  // Unseen time proves nothing: no rest, no confirm window and no grace reaches across it.
  #unwatched(gap: Gap, after: HistoryRecord): void {
    if (gap.from.at >= this.#rules.since) this.#gaps.push(gap);
    this.#reaper.restart(gap.to);
    this.#tickMs = gap.to.awakeMs;
    if (after.kind !== 'start') return;
    this.#unseen = new Set([...this.#live.keys(), ...this.#away.keys()]);
    this.#live.clear();
  }

  // The first round after a start tells of every session; who is not among them is gone.
  #missUnseen(): void {
    for (const key of this.#unseen) {
      this.#closes.missing(key);
      this.#recorded.missing(key);
    }
    this.#unseen.clear();
  }

  #tick(from: Moment, untilMs: number, tier: Tier): void {
    // Without pressure nothing is reaped, whatever the sessions do.
    if (tier === 'normal') {
      this.#reaper.round([], tier, from);
      this.#tickMs = untilMs;
      return;
    }
    for (let atMs = Math.max(this.#tickMs + STEP_MS, from.awakeMs); atMs < untilMs; atMs += STEP_MS) {
      this.#tickMs = atMs;
      const now = { ...from, at: from.at + (atMs - from.awakeMs), awakeMs: atMs };
      this.#round(now, tier);
    }
  }

  #round(now: Moment, tier: Tier): void {
    const open: SessionEntry[] = [];
    for (const [key, live] of this.#live) {
      const judged = this.#judged(live, now);
      if (judged !== live) this.#live.set(key, judged);
      const guard = guardBefore(judged.entry);
      if (guard === null) open.push(judged.entry as SessionEntry);
      else this.#guards.set(key, guard);
    }
    for (const event of this.#reaper.round(open, tier, now)) this.#happened(event, now);
  }

  #judged(live: Live, now: Moment): Live {
    const { session, entry, judgedMs } = live;
    const isKnown = entry !== null && guardBefore(entry) !== null && now.awakeMs - judgedMs < BUSY_MS;
    if (session.pieces === null || isKnown) return live;
    const { pieces, lent } = this.#foresight.fill(session.key, session.pieces, now);
    const judged = replay(session, pieces, now, this.#rules, entry ?? session.verdict);
    return { session, entry: judged, judgedMs: now.awakeMs, lent };
  }

  #happened(event: ReapEvent, now: Moment): void {
    const { kind } = event;
    const session = event.session as NonNullable<ReapEvent['session']>;
    if (kind === 'vetoed' || kind === 'spared') this.#guards.set(session.key, event.code);
    if (kind !== 'would-close') return;
    const live = this.#live.get(session.key) as Live;
    this.#live.delete(session.key);
    this.#away.set(session.key, live.session);
    this.#guards.delete(session.key);
    this.#closes.follow(closeOf(event, session, live), now);
  }

  #seen(record: SeenRecord): void {
    const { key } = record;
    this.#unseen.delete(key);
    this.#keys.add(key);
    const session = witnessed(this.#known(key), record);
    this.#closes.seen(session);
    this.#recorded.seen(session);
    if (this.#away.has(key)) this.#away.set(key, session);
    else this.#live.set(key, { session, entry: null, judgedMs: 0, lent: [] });
  }

  #known(key: string): Witnessed | undefined {
    return this.#live.get(key)?.session ?? this.#away.get(key);
  }

  #reaped(event: ReapEvent, now: Moment): void {
    const { kind, session } = event;
    if ((kind !== 'closed' && kind !== 'would-close') || session === null || now.at < this.#rules.since)
      return;
    const server = this.#known(session.key)?.server ?? '';
    this.#recorded.follow({ ...closeOf(event, session, { session: { server }, lent: [] }), kind }, now);
  }

  #kept(): BacktestResult['kept'] {
    return [...grouped(this.#guards.values(), (code) => code)]
      .map(([code, all]) => ({ code, sessions: all.length }))
      .sort((a, b) => b.sessions - a.sessions || (a.code < b.code ? -1 : 1));
  }
}

// The reaper would say the same of them; but it has to be asked in every round.
function guardBefore(entry: SessionEntry | null): string | null {
  if (entry === null) return 'not-known';
  const [protection] = entry.protections;
  if (protection) return protection.code;
  return entry.activity === 'idle' || entry.activity === 'exited' ? null : entry.activity;
}

function closeOf(
  { at, tier, relief, text, memoryBytes }: ReapEvent,
  { key, name }: NonNullable<ReapEvent['session']>,
  { session, lent }: { readonly session: Pick<Witnessed, 'server'>; readonly lent: BacktestClose['lent'] },
): BacktestClose {
  return { key, name, server: session.server, at, tier, relief, text, memoryBytes, lent };
}
