import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence, ProcessNote, StandingEvidence } from '../../src/core/verdict/evidence.ts';
import type { PaneFacts } from '../../src/core/verdict/facts.ts';
import type { Lifecycle } from '../../src/core/verdict/verdict.ts';
import { client, DAY, NOW, note, POLICY, people, processes, word } from '../support/evidence.ts';
import { completion, evidence, failure } from './arbitrary-evidence.ts';
import { factsOf, verdictOn } from './judged.ts';

const RUNS = { numRuns: 600 };

// What a supervisor may do with it, least first: nothing, look and ask, close later, close.
const CLOSABILITY: Readonly<Record<Lifecycle, number>> = {
  unknown: 0,
  active: 0,
  closing: 0,
  closed: 0,
  lost: 0,
  stale: 1,
  'completed-retained': 2,
  'safe-to-close': 3,
};

describe('whatever the evidence', () => {
  it('every lifecycle that evidence can lead to is reached, closable ones often enough to mean something', () => {
    const found = fc.sample(evidence, { numRuns: 1000, seed: 1 }).map((list) => verdictOn(list).lifecycle);
    const share = (lifecycle: Lifecycle) => found.filter((one) => one === lifecycle).length / found.length;
    expect(share('safe-to-close')).toBeGreaterThan(0.05);
    for (const lifecycle of ['active', 'stale', 'unknown', 'completed-retained'] as const)
      expect(share(lifecycle)).toBeGreaterThan(lifecycle === 'completed-retained' ? 0.01 : 0.05);
  });

  it('S28 S31: a completion alone never makes anything closable: it stands in for rest and end, for nothing else', () => {
    const alone = evidence.map((list) =>
      list.map((one) => (one.kind === 'standing' ? undeclared(one) : one)),
    );
    let closable = 0;
    fc.assert(
      fc.property(alone, completion, (list, said) => {
        const completed = list.map((one) => (one.kind === 'standing' ? { ...one, completion: said } : one));
        const [before, after] = [verdictOn(list), verdictOn(completed)];
        expect(after.activity).toBe(before.activity);
        if (after.lifecycle !== 'safe-to-close' && after.lifecycle !== 'completed-retained') return;
        closable += 1;
        const open = before.checks.filter((one) => one.state !== 'met').map((one) => one.code);
        expect(['rested', 'finished-or-resumable']).toEqual(expect.arrayContaining(open));
        expect(['idle', 'asleep', 'exited']).toContain(after.activity);
      }),
      { numRuns: 2000 },
    );
    expect(closable).toBeGreaterThan(50);
  });

  it('S58: a pane whose program let go of its terminal is never closable, whatever else is said', () => {
    fc.assert(
      fc.property(evidence, (list) => {
        const adrift = list.map((one) =>
          one.kind === 'pane' ? { ...one, isDead: false, hasNoTerminal: true as const } : one,
        );
        const { lifecycle } = verdictOn(adrift);
        const isPaneSeen = list.some(({ kind }) => kind === 'pane');
        if (isPaneSeen) expect(['safe-to-close', 'completed-retained']).not.toContain(lifecycle);
      }),
      RUNS,
    );
  });

  it('a verdict has a reason, and each reason says code, source, time and text', () => {
    fc.assert(
      fc.property(evidence, (list) => {
        const { reasons } = verdictOn(list);
        expect(reasons.length).toBeGreaterThan(0);
        for (const { code, source, observedAt, text } of reasons) {
          expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
          expect(source).not.toBe('');
          expect(observedAt).toBeGreaterThan(0);
          expect(text).not.toBe('');
        }
      }),
      RUNS,
    );
  });

  it('evidence that is all stale, or none, leaves everything unknown', () => {
    const stale = fc.constantFrom(POLICY.freshMs + 1, DAY, -1001, -DAY);
    fc.assert(
      fc.property(evidence, stale, (list, ageMs) => {
        const old = list.map((one) => ({ ...one, observedAt: NOW.at - ageMs }));
        expect(verdictOn(old)).toMatchObject({ activity: 'unknown', lifecycle: 'unknown', panes: [] });
      }),
      RUNS,
    );
  });

  it('a sensor that fails never makes a session more closable, and no session with a fresh failure is closable', () => {
    fc.assert(
      fc.property(evidence, failure, (list, failed) => {
        const [before, after] = [verdictOn(list).lifecycle, verdictOn([...list, failed]).lifecycle];
        expect(CLOSABILITY[after]).toBeLessThanOrEqual(CLOSABILITY[before]);
        const ageMs = NOW.at - failed.observedAt;
        if (ageMs <= POLICY.freshMs && ageMs >= -1000) expect(after).not.toBe('safe-to-close');
      }),
      RUNS,
    );
  });

  it('the order of evidence does not matter, and neither do duplicates', () => {
    const shuffled = evidence.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
    );
    fc.assert(
      fc.property(shuffled, ([list, permuted, again]) => {
        expect(verdictOn([...permuted, ...again])).toEqual(verdictOn(list));
      }),
      RUNS,
    );
  });

  it('safe to close means: all checks met, at rest, nobody there, and nothing but shells and what an agent vouches for', () => {
    fc.assert(
      fc.property(evidence, (list) => {
        const verdict = verdictOn(list);
        if (verdict.lifecycle !== 'safe-to-close') return;
        const { people: there, panes } = factsOf(list);
        expect(verdict.checks.every((one) => one.state === 'met')).toBe(true);
        expect(verdict.blockers).toEqual([]);
        expect(['idle', 'asleep', 'exited']).toContain(verdict.activity);
        expect(there?.clients).toEqual([]);
        for (const facts of panes) expect(unexplained(facts)).toEqual([]);
        if (verdict.activity === 'idle') expect(panes.some(isSpokenOf)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('every check that is not met is a blocker, and nothing else is', () => {
    fc.assert(
      fc.property(evidence, (list) => {
        const { checks, blockers } = verdictOn(list);
        const open = checks.filter((one) => one.state !== 'met');
        expect(blockers).toEqual(open.map(({ code, kind, text }) => ({ code, kind, text })));
      }),
      RUNS,
    );
  });
});

describe('never safe to close, whatever else is known', () => {
  const stranger = { pid: 901, parentPid: 1 } as const;
  const relation = fc.constantFrom('root', 'foreground', 'background', 'stopped', 'outside');

  it.each<[string, fc.Arbitrary<(list: Evidence[]) => Evidence[]>]>([
    [
      'a process that works, wherever it hangs',
      fc
        .tuple(
          relation,
          fc.constantFrom(1, 100, 300),
          fc.constantFrom({ cpuPercent: 90 }, { ioBytesPerSecond: 1e9 }),
        )
        .map(([how, parentPid, rate]) =>
          withProcess(note({ ...stranger, parentPid, relation: how, ...rate })),
        ),
    ],
    [
      'an unknown program',
      relation.map((how) => withProcess(note({ ...stranger, program: 'mystery', relation: how }))),
    ],
    [
      'an editor, even under an agent',
      fc
        .tuple(relation, fc.constantFrom(1, 100, 300))
        .map(([how, parentPid]) =>
          withProcess(note({ ...stranger, parentPid, role: 'interactive', relation: how })),
        ),
    ],
    [
      'an agent that nobody has heard',
      relation.map((how) =>
        withProcess(note({ ...stranger, role: 'agent', agentKind: 'codex', relation: how })),
      ),
    ],
    ['an attached client', fc.boolean().map((isControl) => withClient(client({ isControl })))],
    [
      'a background task of an agent',
      fc
        .tuple(fc.constantFrom('over', 'running'), fc.integer({ min: 1, max: 9 }))
        .map(([turn, background]) => withWord({ turn, background })),
    ],
  ])('%s', (_, addition) => {
    fc.assert(
      fc.property(evidence, addition, (list, add) => {
        expect(verdictOn(add(list)).lifecycle).not.toBe('safe-to-close');
      }),
      RUNS,
    );
  });

  it('nor does a second, contradicting piece of the same moment make it so', () => {
    const piece = fc.constantFrom<Evidence>(
      people({ clients: [client()] }),
      processes([note({ relation: 'root' })]),
      word({ turn: 'running' }),
    );
    fc.assert(
      fc.property(evidence, piece, (list, added) => {
        const rest = list.filter((one) => one.observedAt <= NOW.at);
        expect(verdictOn([...rest, added]).lifecycle).not.toBe('safe-to-close');
      }),
      RUNS,
    );
  });
});

it('S28: no title and no text on a screen changes a verdict', () => {
  const claim = fc.constantFrom('DONE', 'safe-to-close', '<promise>COMPLETE</promise>', 'task completed ✔');
  fc.assert(
    fc.property(evidence, fc.oneof(claim, fc.string()), (list, text) => {
      const quiet = list.map((one) => retold(one, ''));
      expect(verdictOn(list.map((one) => retold(one, text)))).toEqual(verdictOn(quiet));
    }),
    RUNS,
  );
});

function undeclared({
  retained: _,
  completion: __,
  closing: ___,
  ...rest
}: StandingEvidence): StandingEvidence {
  return rest;
}

function retold(one: Evidence, text: string): Evidence {
  if (one.kind === 'pane') return { ...one, title: text };
  return one.kind === 'screen' ? { ...one, tail: [text] } : one;
}

// Adds the process to what was seen of every pane, or of a pane of its own.
function withProcess(added: ProcessNote): (list: Evidence[]) => Evidence[] {
  return (list) => {
    const isSeen = list.some((one) => one.kind === 'processes');
    const more = list.map((one) =>
      one.kind === 'processes' ? { ...one, processes: [...one.processes, added] } : one,
    );
    return isSeen ? more : [...more, processes([added])];
  };
}

function withClient(added: ReturnType<typeof client>): (list: Evidence[]) => Evidence[] {
  return (list) => [
    ...list.map((one) => (one.kind === 'people' ? { ...one, clients: [...one.clients, added] } : one)),
    people({ clients: [added], observedAt: NOW.at - POLICY.freshMs }),
  ];
}

function withWord(over: Partial<ReturnType<typeof word>>): (list: Evidence[]) => Evidence[] {
  return (list) => [
    ...list.map((one) => (one.kind === 'agent-sign' ? { ...one, ...over } : one)),
    word({ ...over, observedAt: NOW.at - POLICY.freshMs }),
  ];
}

// The agent that speaks is there.
function isSpokenOf({ processes: seen, word: said }: PaneFacts): boolean {
  return seen?.processes.some((one) => one.role === 'agent' && one.pid === said?.agentPid) ?? false;
}

// What runs in a pane beside bare shells, the agent that speaks, what is below it and what merely carries it.
function unexplained({ processes: seen, word: said }: PaneFacts): ProcessNote[] {
  const notes = seen?.processes ?? [];
  const isAbove = (over: ProcessNote, under: ProcessNote, steps = notes.length): boolean =>
    steps > 0 &&
    notes.some(
      (one) =>
        one.pid === under.parentPid && one !== under && (one === over || isAbove(over, one, steps - 1)),
    );
  const agents = notes.filter((one) => one.role === 'agent');
  const speaker = agents.find((one) => one.pid === said?.agentPid && said.backgroundTasks === 0);
  return notes.filter((one) => {
    if (one.relation === 'outside' || one.relation === 'stopped' || one.role === 'interactive') return true;
    // A sleeper waits in the place of an agent, and does nothing else.
    if (one.role === 'sleeper') return one.relation !== 'root';
    if (one.role === 'shell') return one.relation === 'background' && !(speaker && isAbove(speaker, one));
    if (one.role === 'wrapper' && notes.some((child) => child.parentPid === one.pid)) return false;
    if (one.role === 'command' && agents.some((below) => isAbove(one, below))) return false;
    return (
      !speaker ||
      !(one === speaker || isAbove(speaker, one) || (one.role === 'agent' && isAbove(one, speaker)))
    );
  });
}
