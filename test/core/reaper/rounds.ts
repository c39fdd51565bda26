import type { Tier } from '../../../src/core/pressure/tier.ts';
import { afterClose, type ReapOutcome } from '../../../src/core/reaper/after-close.ts';
import { budgetIn } from '../../../src/core/reaper/budget.ts';
import { concludeRound } from '../../../src/core/reaper/conclude.ts';
import { NO_MEMORY, type ReaperMemory } from '../../../src/core/reaper/memory.ts';
import type { ReaperPolicy } from '../../../src/core/reaper/policy.ts';
import type {
  PendingReap,
  ReapBudget,
  ReapEvent,
  ReapMode,
  ReapVerdict,
} from '../../../src/core/reaper/standing.ts';
import { survey } from '../../../src/core/reaper/survey.ts';
import { pendingOf, verdictsOf, watchRound } from '../../../src/core/reaper/watch-round.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Moment } from '../../../src/core/text/moment.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { MINUTE, NOW, SECOND } from '../../support/evidence.ts';
import { entry } from '../close/entry.ts';

export const REAPER: ReaperPolicy = {
  longIdleFrom: 'critical',
  idleAfterMs: 15 * MINUTE,
  confirmMs: 2 * MINUTE,
  graceMs: MINUTE,
  settleMs: 20 * SECOND,
  prefer: 'close',
  perHour: 6,
  freshMs: 15 * SECOND,
};

export const FREE: ReapBudget = { perHour: 6, used: 0, freeAt: null, problem: null };

/** A session on the roll by its evidence. */
export function session(
  name: string,
  evidence: readonly Evidence[],
  over: Partial<SessionEntry> = {},
): SessionEntry {
  return entry(evidence, { key: `key-${name}`, name, memoryBytes: 1000, ...over });
}

export interface Stepped {
  readonly events: readonly ReapEvent[];
  readonly verdicts: readonly ReapVerdict[];
  readonly pending: PendingReap | null;
  /** The session whose close was begun in this round. */
  readonly closed: string | null;
}

/** A reaper that is driven by hand: what it sees is what the fields hold. */
export class Rounds {
  sessions: SessionEntry[];
  /** What closer looks see, where it is something else. */
  closer = new Map<string, SessionEntry | null>();
  screens = new Map<string, string | null>();
  tier: Tier = 'critical';
  mode: ReapMode = 'enforce';
  budget: ReapBudget = FREE;
  policy: ReaperPolicy = REAPER;
  now: Moment = NOW;
  memory: ReaperMemory = NO_MEMORY;
  outcome: ReapOutcome = { result: 'closed', receipt: 'r', text: 'closed' };
  readonly events: ReapEvent[] = [];

  constructor(...sessions: SessionEntry[]) {
    this.sessions = sessions;
  }

  /** Lets awake time pass. Evidence carries the time of the first look: it is kept fresh by its own clock. */
  pass(ms: number): this {
    this.now = { ...this.now, awakeMs: this.now.awakeMs + ms };
    return this;
  }

  step(): Stepped {
    const { tier, now, policy, mode } = this;
    const surveyed = survey(this.sessions, { tier, now, policy }, this.memory);
    const budget = budgetIn(mode, this.budget, this.memory.simulated, now);
    const screens = new Map(this.sessions.map(({ key }) => [key, this.#screen(key)]));
    const scene = { tier, now, policy, mode, budget, screens, survey: surveyed };
    const watched = watchRound(this.memory, scene);
    const key = watched.nominee?.key;
    const seen = key === undefined ? null : this.#closer(key);
    const examined = key === undefined ? null : { entry: seen, screens: this.#screen(key), now };
    const concluded = concludeRound(watched, scene, examined);
    this.memory = concluded.memory;
    let events = concluded.events;
    let closed: string | null = null;
    if (concluded.action.kind === 'close') {
      const { entry: one, relief } = concluded.action;
      const { key: closedKey, name, memoryBytes } = one;
      closed = closedKey;
      const reaped = { key: closedKey, name, memoryBytes, relief };
      const after = afterClose(this.memory, reaped, this.outcome, scene, policy);
      this.memory = after.memory;
      events = [...events, ...after.events];
      if (this.outcome.result === 'closed') this.remove(closedKey);
    }
    this.events.push(...events);
    return {
      ...{ events, closed, verdicts: verdictsOf(this.memory, scene) },
      pending: pendingOf(this.memory, policy, now),
    };
  }

  /** Rounds every so often, until that much awake time has passed. */
  run(ms: number, everyMs = 20 * SECOND): Stepped[] {
    const steps: Stepped[] = [];
    for (let passed = 0; passed < ms; passed += everyMs) steps.push(this.pass(everyMs).step());
    return steps;
  }

  remove(key: string): void {
    this.sessions = this.sessions.filter((one) => one.key !== key);
  }

  replace(next: SessionEntry): void {
    this.sessions = this.sessions.map((one) => (one.key === next.key ? next : one));
  }

  kinds(): string[] {
    return this.events.map(({ kind, session: about }) => `${kind} ${about?.name ?? ''}`.trim());
  }

  #screen(key: string): string | null {
    const screen = this.screens.get(key);
    return screen === undefined ? 'screen' : screen;
  }

  #closer(key: string): SessionEntry | null {
    const seen = this.closer.get(key);
    return seen === undefined ? (this.sessions.find((one) => one.key === key) ?? null) : seen;
  }
}

export const kinds = (events: readonly ReapEvent[]) => events.map(({ kind }) => kind);
