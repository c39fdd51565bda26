import { Backtest } from '../../../src/core/backtest/backtest.ts';
import { Foresight } from '../../../src/core/backtest/foresight.ts';
import type { BacktestResult, BacktestRules } from '../../../src/core/backtest/result.ts';
import type { HistoryRecord } from '../../../src/core/history/record.ts';
import { Recorder } from '../../../src/core/history/recorder.ts';
import type { Tier } from '../../../src/core/pressure/tier.ts';
import type { ReaperPolicy } from '../../../src/core/reaper/policy.ts';
import type { ReapEvent } from '../../../src/core/reaper/standing.ts';
import type { Moment } from '../../../src/core/text/moment.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { MINUTE, NOW, POLICY } from '../../support/evidence.ts';
import { judged, later, pressure, round, seenAt } from '../history/rounds.ts';

export const REAPER: ReaperPolicy = {
  ...{ longIdleFrom: 'critical', idleAfterMs: 15 * MINUTE, confirmMs: 2 * MINUTE, graceMs: MINUTE },
  ...{ settleMs: 20_000, prefer: 'close', perHour: 6, freshMs: 15_000 },
};

const RULES: BacktestRules = {
  ...{ policy: POLICY, reaper: REAPER, protectedBy: () => undefined, tier: null, since: 0 },
};

/** A past that is made up: rounds every twenty seconds, as the daemon would have taken them. */
export class Past {
  readonly records: HistoryRecord[] = [];
  #recorder: Recorder = new Recorder({ freshMs: 15_000 });
  readonly #sessions = new Map<string, readonly Evidence[]>();
  #tier: Tier = 'normal';
  #ms = 0;

  constructor() {
    this.records.push(...this.#recorder.started(this.now));
  }

  get now(): Moment {
    return later(this.#ms);
  }

  /** From now on a session shows this evidence; its times are those of NOW, and its rest grows from there. */
  shows(name: string, evidence: readonly Evidence[] | null): this {
    if (evidence === null) this.#sessions.delete(name);
    else this.#sessions.set(name, evidence);
    return this;
  }

  pressed(tier: Tier): this {
    this.#tier = tier;
    return this;
  }

  /** Lets time pass, with a round every so often. */
  passes(ms: number, events: readonly ReapEvent[] = [], everyMs = 20_000): this {
    const until = this.#ms + ms;
    let happened = events;
    for (; this.#ms <= until; this.#ms += everyMs) {
      const sessions = [...this.#sessions].map(([name, evidence]) =>
        judged(name, seenAt(evidence, this.now), this.now),
      );
      const parts = { sessions, pressure: pressure(this.#tier), events: happened };
      this.records.push(...this.#recorder.round(round(this.now, parts)));
      happened = [];
    }
    return this;
  }

  /** The daemon is killed, and another one starts so much later. */
  killedFor(ms: number): this {
    this.#ms += ms;
    this.#recorder = new Recorder({ freshMs: 15_000 });
    this.records.push(...this.#recorder.started(this.now));
    return this;
  }

  stopped(): this {
    this.records.push(...this.#recorder.stopped(this.now));
    return this;
  }

  /** What another policy would have done. */
  tried(over: Partial<BacktestRules> = {}): BacktestResult {
    return tryOn(this.records, over);
  }
}

export function tryOn(records: readonly HistoryRecord[], over: Partial<BacktestRules> = {}): BacktestResult {
  const foresight = new Foresight();
  for (const record of records) if (record.kind === 'seen') foresight.take(record);
  const backtest = new Backtest({ ...RULES, ...over }, foresight);
  for (const record of records) backtest.take(record);
  return backtest.finish();
}

/** Since so long before NOW. */
export const ago = (ms: number) => NOW.at - ms;
