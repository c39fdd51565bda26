import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIERS } from '../../../src/core/pressure/tier.ts';
import type { ReapOutcome } from '../../../src/core/reaper/after-close.ts';
import { NO_MEMORY } from '../../../src/core/reaper/memory.ts';
import { judgeRelief } from '../../../src/core/reaper/relief.ts';
import { REAP_MODES, RELIEFS } from '../../../src/core/reaper/standing.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { gatherFacts } from '../../../src/core/verdict/facts.ts';
import {
  client,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  POLICY,
  pane,
  people,
  SECOND,
  standing,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { evidence as anyEvidence } from '../arbitrary-evidence.ts';
import { FREE, REAPER, Rounds, session } from './rounds.ts';

const still = history({ agentSeen: 'claude', quietMs: 999 * HOUR });
const recent = withPieces(idleAgent(), pane({ lastOutputAt: NOW.at - 30 * MINUTE }), still);
const done = { at: NOW.at - HOUR, outcome: 'done', evidence: null, blockers: [] };

/** What pressure may take, in its order. */
const MAY_GO: readonly Evidence[][] = [
  withPieces(idleAgent(), still, standing({ completion: done })),
  withPieces(idleAgent(), still),
  withPieces(exitedAgent(), still),
  recent,
  withPieces(recent, git({ dirtyFiles: 1 })),
];

/** The six innocents, and what nobody knows. */
const INNOCENT: readonly Evidence[][] = [
  withPieces(recent, word({ turn: 'running' })),
  withPieces(recent, word({ waitingFor: 'permission' })),
  withPieces(recent, people({ clients: [client()] })),
  withPieces(recent, word({ hasDraft: true })),
  withPieces(recent, standing({ held: { at: 1, reason: null } })),
  withPieces(recent, word({ background: 1 })),
  without(recent, 'agent-sign'),
  withPieces(recent, standing({ isManaged: false })),
];

/** An agent that has left while it was listened to: nobody knows what it left unsent. */
const HALF_SEEN = withPieces(
  without(exitedAgent(), 'screen'),
  still,
  ...idleAgent().filter(({ kind }) => kind === 'agent'),
);

const NEVER = new Set(['working', 'waiting', 'starting', 'unknown', 'none']);

describe('whatever the evidence', () => {
  it('nothing that works, waits, is attached, held, drafted, protected or unknown may ever go', () => {
    const tier = fc.constantFrom(...TIERS);
    let may = 0;
    fc.assert(
      fc.property(anyEvidence, tier, fc.boolean(), (evidence, at, isExamined) => {
        const one = session('one', evidence);
        const { relief } = judgeRelief(one, { tier: at, now: NOW, policy: REAPER, isExamined });
        if (relief === null) return;
        may += 1;
        expect(at).not.toBe('normal');
        expect(NEVER.has(one.activity)).toBe(false);
        expect(['unknown', 'lost', 'closing', 'closed']).not.toContain(one.lifecycle);
        expect(one.protections).toEqual([]);
        expect(gatherFacts(evidence, NOW, POLICY).people?.clients ?? []).toEqual([]);
        const open = one.blockers.map(({ code }) => code);
        const allowed = isExamined ? ['rested', 'work-saved'] : ['rested', 'work-saved', 'nothing-unsent'];
        expect(open.filter((code) => !allowed.includes(code))).toEqual([]);
        if (relief !== 'long-idle') expect(open).toEqual([]);
        else expect(one.activity).toBe('idle');
      }),
      { numRuns: 800, examples: [[HALF_SEEN, 'critical', false]] },
    );
    expect(may).toBeGreaterThan(2);
  });
});

type Event =
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'jump'; readonly ms: number }
  | { readonly do: 'tier'; readonly tier: (typeof TIERS)[number] }
  | { readonly do: 'mode'; readonly mode: (typeof REAP_MODES)[number] }
  | { readonly do: 'restart' }
  | { readonly do: 'become'; readonly at: number; readonly what: readonly Evidence[] }
  | { readonly do: 'redraw'; readonly at: number }
  | { readonly do: 'outcome'; readonly outcome: ReapOutcome };

const outcomes: readonly ReapOutcome[] = [
  { result: 'closed', receipt: 'r', text: 'closed' },
  { result: 'closed', receipt: 'r', text: 'closed' },
  { result: 'skipped', code: 'aborted', text: 'stopped' },
  { result: 'waits' },
];
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(10, 20, 45, 300).map((s) => s * SECOND),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.constantFrom(-HOUR, HOUR, 9 * HOUR) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('tier' as const),
      tier: fc.constantFrom(...TIERS, 'critical' as const, 'critical' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('mode' as const),
      mode: fc.constantFrom(...REAP_MODES, 'enforce' as const, 'enforce' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('become' as const),
      at: fc.nat(7),
      what: fc.constantFrom(...INNOCENT, ...MAY_GO),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('redraw' as const), at: fc.nat(7) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('outcome' as const), outcome: fc.constantFrom(...outcomes) }),
  },
);
const fleet = fc.array(fc.constantFrom(...MAY_GO, ...MAY_GO, ...INNOCENT), { minLength: 1, maxLength: 8 });

/** Drives a reaper through it and holds every round to the rules. */
class Witness {
  readonly rounds: Rounds;
  readonly perHour = 3;
  /** Awake time since which each session stood as it stands, seen by this process. */
  readonly sameSince = new Map<string, number>();
  readonly takenAt: number[] = [];
  chosenAt = Number.POSITIVE_INFINITY;
  closes = 0;
  #redraws = 0;

  constructor(what: readonly (readonly Evidence[])[]) {
    this.rounds = new Rounds(
      ...what.map((evidence, index) => session(`s${index}`, evidence, { memoryBytes: index })),
    );
    this.#touchAll();
  }

  take(one: Event): void {
    const { rounds } = this;
    if (one.do === 'pass') rounds.pass(one.ms);
    // The evidence itself is as old as the look, so that a jump of the wall clock makes all of it stale or future.
    else if (one.do === 'jump')
      rounds.now = { ...rounds.now, suspendedMs: rounds.now.suspendedMs + Math.abs(one.ms) };
    else if (one.do === 'tier') rounds.tier = one.tier;
    else if (one.do === 'mode') rounds.mode = one.mode;
    else if (one.do === 'outcome') rounds.outcome = one.outcome;
    else if (one.do === 'restart') this.#restart();
    else this.#change(one);
    this.#round();
  }

  #restart(): void {
    this.rounds.memory = NO_MEMORY;
    this.chosenAt = Number.POSITIVE_INFINITY;
    this.#touchAll();
  }

  #change(one: Extract<Event, { do: 'become' | 'redraw' }>): void {
    const found = this.rounds.sessions[one.at];
    if (!found) return;
    this.#redraws += 1;
    if (one.do === 'redraw') this.rounds.screens.set(found.key, `drawn ${this.#redraws}`);
    else this.rounds.replace(session(found.name, one.what, { memoryBytes: found.memoryBytes }));
    this.rounds.screens.set(found.key, `drawn ${this.#redraws}`);
    this.sameSince.set(found.key, this.rounds.now.awakeMs);
  }

  #touchAll(): void {
    for (const { key } of this.rounds.sessions) this.sameSince.set(key, this.rounds.now.awakeMs);
  }

  #round(): void {
    const { rounds } = this;
    const { awakeMs } = rounds.now;
    const used = this.takenAt.filter((at) => awakeMs - at < HOUR).length;
    rounds.budget = { ...FREE, perHour: this.perHour, used };
    const before = new Map(rounds.sessions.map((one) => [one.key, one]));
    const { events, closed } = rounds.step();
    expect(events.filter(({ kind }) => kind === 'closed' || kind === 'would-close').length).toBeLessThan(2);
    for (const { kind, session: about } of events) {
      if (kind !== 'chosen' && kind !== 'would-close' && kind !== 'closed') continue;
      this.#holdTo(before.get(about?.key ?? '') as SessionEntry);
      expect(rounds.tier).not.toBe('normal');
      expect(rounds.mode).not.toBe('off');
      const sameMs = awakeMs - (this.sameSince.get(about?.key ?? '') as number);
      expect(sameMs).toBeGreaterThanOrEqual(REAPER.confirmMs + (kind === 'chosen' ? 0 : REAPER.graceMs));
      if (kind === 'chosen') this.chosenAt = awakeMs;
      else expect(awakeMs - this.chosenAt).toBeGreaterThanOrEqual(REAPER.graceMs);
    }
    if (closed === null) return;
    expect(rounds.mode).toBe('enforce');
    if (rounds.outcome.result === 'closed') {
      this.takenAt.push(awakeMs);
      this.closes += 1;
    }
    expect(this.takenAt.filter((at) => awakeMs - at < HOUR).length).toBeLessThanOrEqual(this.perHour);
  }

  #holdTo(one: SessionEntry): void {
    expect(NEVER.has(one.activity)).toBe(false);
    expect(one.protections).toEqual([]);
    expect(
      one.blockers.map(({ code }) => code).filter((code) => code !== 'rested' && code !== 'work-saved'),
    ).toEqual([]);
  }
}

describe('whatever happens', () => {
  it('S48 S49 S50 S26: innocents stay, one goes at a time, windows, graces and the budget hold over restarts and jumps', () => {
    let closes = 0;
    fc.assert(
      fc.property(fleet, fc.array(event, { minLength: 20, maxLength: 120 }), (what, happens) => {
        const witness = new Witness(what);
        for (const one of happens) witness.take(one);
        closes += witness.closes;
      }),
      { numRuns: 60 },
    );
    expect(closes).toBeGreaterThan(5);
  });

  it('relief is taken in its order: nothing goes while something gentler is as well proven', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...MAY_GO, ...INNOCENT], { minLength: 1 }), (what) => {
        const rounds = new Rounds(...what.map((evidence, index) => session(`s${index}`, evidence)));
        rounds.policy = { ...REAPER, perHour: 100 };
        rounds.budget = { ...FREE, perHour: 100 };
        rounds.step();
        rounds.run(30 * MINUTE);
        const taken = rounds.events.flatMap(({ kind, relief }) =>
          kind === 'closed' && relief ? [relief] : [],
        );
        const places = taken.map((relief) => RELIEFS.indexOf(relief));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(taken).toHaveLength(what.filter((one) => MAY_GO.includes(one as Evidence[])).length);
      }),
      { numRuns: 25 },
    );
  });
});
