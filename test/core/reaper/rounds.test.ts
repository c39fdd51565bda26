import { describe, expect, it } from 'vitest';
import { setAside } from '../../../src/core/reaper/memory.ts';
import {
  client,
  deadPane,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  pane,
  people,
  processes,
  SECOND,
  shell,
  standing,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { FREE, kinds, REAPER, Rounds, session } from './rounds.ts';

const still = history({ agentSeen: 'claude', quietMs: 99 * HOUR });
const recent = withPieces(idleAgent(), pane({ lastOutputAt: NOW.at - 30 * MINUTE }), still);
const idle = (name: string, memoryBytes = 1000) => session(name, recent, { memoryBytes });
const busy = (name: string) => session(name, withPieces(recent, word({ turn: 'running' })));
const CONFIRM = REAPER.confirmMs;
const code = (rounds: Rounds, name: string) =>
  rounds.step().verdicts.find((one) => one.name === name)?.guard?.code ?? null;

describe('a session that may go', () => {
  it('is watched, chosen, given its grace, and closed, with one close in a round', () => {
    const rounds = new Rounds(idle('a'), busy('b'));
    const first = rounds.step();
    expect(first.verdicts).toMatchObject([
      { name: 'a', relief: null, guard: { code: 'confirming' } },
      { name: 'b', relief: null, guard: { code: 'working' } },
    ]);
    const watched = rounds.run(CONFIRM - 20 * SECOND);
    expect(watched.flatMap(({ events }) => events)).toEqual([]);
    const chosen = rounds.pass(20 * SECOND).step();
    expect(chosen.events).toMatchObject([{ kind: 'chosen', session: { name: 'a' }, relief: 'long-idle' }]);
    expect(chosen.pending).toMatchObject({ name: 'a', dueAt: NOW.at + MINUTE, decidedAt: NOW.at });
    expect(chosen.verdicts[0]).toMatchObject({ relief: 'long-idle', guard: null });
    const grace = rounds.run(40 * SECOND);
    expect(grace.map(({ closed }) => closed)).toEqual([null, null]);
    expect(grace[1]?.pending?.dueAt).toBe(NOW.at + 20 * SECOND);
    const end = rounds.pass(20 * SECOND).step();
    expect(end.closed).toBe('key-a');
    expect(end.events).toMatchObject([
      { kind: 'closed', session: { name: 'a' }, receipt: 'r', code: 'long-idle', memoryBytes: 1000 },
    ]);
    expect(end.pending).toBeNull();
  });

  it('needs several sightings, not only time', () => {
    const rounds = new Rounds(idle('a'));
    rounds.step();
    expect(rounds.pass(HOUR).step().events).toEqual([]);
    expect(kinds(rounds.pass(SECOND).step().events)).toEqual(['chosen']);
  });

  it('S49: waits for its turn where another rollcall closed something just now, and is closed then', () => {
    const rounds = new Rounds(idle('a'));
    rounds.outcome = { result: 'waits' };
    rounds.step();
    rounds.run(CONFIRM + MINUTE);
    expect(rounds.memory.chosen?.key).toBe('key-a');
    rounds.outcome = { result: 'closed', receipt: 'r', text: 'closed' };
    expect(rounds.pass(SECOND).step().closed).toBe('key-a');
    expect(rounds.kinds()).toEqual(['chosen a', 'closed a']);
  });

  it('leaves time to measure pressure again before the next', () => {
    const rounds = new Rounds(idle('a', 5000), idle('b'));
    rounds.step();
    rounds.run(CONFIRM + MINUTE);
    expect(rounds.kinds()).toEqual(['chosen a', 'closed a']);
    expect(code(rounds.pass(SECOND), 'b')).toBe('settling');
    expect(kinds(rounds.pass(19 * SECOND).step().events)).toEqual(['chosen']);
  });
});

describe('S39: whatever happens in the grace spares it', () => {
  const chosen = () => {
    const rounds = new Rounds(idle('a'));
    rounds.step();
    rounds.run(CONFIRM);
    expect(rounds.kinds()).toEqual(['chosen a']);
    return rounds;
  };
  const SPARED: [string, (rounds: Rounds) => void, string][] = [
    ['pressure ends', (rounds) => (rounds.tier = 'normal'), 'pressure-over'],
    ['pressure eases', (rounds) => (rounds.tier = 'moderate'), 'pressure-too-low'],
    ['the mode changes', (rounds) => (rounds.mode = 'shadow'), 'mode-changed'],
    ['it is switched off', (rounds) => (rounds.mode = 'off'), 'mode-changed'],
    ['it is gone', (rounds) => rounds.remove('key-a'), 'gone'],
    ['its screen changes', (rounds) => rounds.screens.set('key-a', 'other'), 'changed'],
    ['its screen is not seen', (rounds) => rounds.screens.set('key-a', null), 'screen-unseen'],
    ['a turn begins', (rounds) => rounds.replace(busy('a')), 'working'],
    ['a person comes', (rounds) => rounds.replace(with_(people({ clients: [client()] }))), 'attached'],
    ['somebody holds it', (rounds) => rounds.replace(with_(standing({ held: held() }))), 'held'],
    ['a person was there', (rounds) => rounds.replace(with_(people({ lastAttachedAt: 1 }))), 'changed'],
    ['a turn went by', (rounds) => rounds.replace(with_(word({ since: NOW.at - 20 * MINUTE }))), 'changed'],
    ['it worked unseen', (rounds) => rounds.replace(stirred(20 * SECOND)), 'changed'],
    ['the budget is used up', (rounds) => (rounds.budget = { ...FREE, used: 6 }), 'budget-used'],
    ['nobody knows the budget', (rounds) => (rounds.budget = { ...FREE, problem: 'x' }), 'budget-unknown'],
  ];
  const with_ = (piece: Parameters<typeof withPieces>[1]) => session('a', withPieces(recent, piece));
  const held = () => ({ at: NOW.at, reason: null });
  const stirred = (quietMs: number) => with_(history({ agentSeen: 'claude', quietMs }));

  it.each(SPARED)('%s', (_, change, expected) => {
    const rounds = chosen();
    change(rounds);
    const { events, closed } = rounds.pass(30 * SECOND).step();
    expect(events[0]).toMatchObject({ kind: 'spared', code: expected, session: { name: 'a' } });
    expect(closed).toBeNull();
    expect(rounds.memory.chosen).toBeNull();
  });

  const AT_THE_END: [string, (rounds: Rounds) => void, string][] = [
    ['it is gone', (rounds) => rounds.closer.set('key-a', null), 'gone'],
    ['a draft stands there', (rounds) => see(rounds, word({ hasDraft: true })), 'nothing-unsent'],
    ['git says something else', (rounds) => see(rounds, git({ dirtyFiles: 9 })), 'changed'],
    ['it worked', (rounds) => rounds.closer.set('key-a', stirred(20 * SECOND)), 'changed'],
    ['it has another child', (rounds) => see(rounds, processes([shell({ pid: 101 })])), 'unknown'],
  ];
  const see = (rounds: Rounds, piece: Parameters<typeof withPieces>[1]) =>
    rounds.closer.set('key-a', with_(piece));

  it.each(AT_THE_END)('S39: a thorough look at its end: %s', (_, change, expected) => {
    const rounds = chosen();
    change(rounds);
    const { events, closed } = rounds.pass(MINUTE).step();
    expect(events).toMatchObject([{ kind: 'spared', code: expected }]);
    expect(closed).toBeNull();
  });

  it('and its watch begins anew', () => {
    const rounds = chosen();
    rounds.screens.set('key-a', 'other');
    rounds.run(CONFIRM);
    expect(rounds.kinds()).toEqual(['chosen a', 'spared a']);
    rounds.run(20 * SECOND);
    expect(rounds.kinds()).toEqual(['chosen a', 'spared a', 'chosen a']);
  });

  it('S49: others used the hour up at the last moment', () => {
    const rounds = chosen();
    rounds.outcome = { result: 'no-slot', guard: { code: 'budget-used', text: 'used' } };
    expect(rounds.pass(MINUTE).step().events).toMatchObject([{ kind: 'spared', code: 'budget-used' }]);
  });

  it('S26: suspend and a stepped clock make neither watch nor grace shorter', () => {
    const rounds = chosen();
    rounds.now = { ...rounds.now, at: rounds.now.at + 8 * HOUR, suspendedMs: 8 * HOUR };
    rounds.sessions = rounds.sessions.map((one) => ({ ...one, lifecycle: 'safe-to-close' as const }));
    expect(rounds.step().closed).toBeNull();
    expect(rounds.pass(59 * SECOND).step().closed).toBeNull();
    expect(rounds.pass(SECOND).step().closed).toBe('key-a');
  });

  it('S50: a process that begins anew has watched nothing and promised nothing', () => {
    const rounds = chosen();
    rounds.pass(50 * SECOND);
    const anew = new Rounds(idle('a'));
    anew.now = rounds.now;
    const steps = [anew.step(), ...anew.run(CONFIRM + MINUTE - 20 * SECOND)];
    expect(steps.map(({ closed }) => closed).filter(Boolean)).toEqual([]);
    expect(anew.pass(20 * SECOND).step().closed).toBe('key-a');
  });
});

describe('a closer look before the choice', () => {
  const ready = () => {
    const rounds = new Rounds(idle('a', 9000), idle('b'));
    rounds.step();
    rounds.run(CONFIRM - 20 * SECOND);
    return rounds.pass(20 * SECOND);
  };

  it('finds a guard: it is told once, and the next one’s turn comes', () => {
    const rounds = ready();
    rounds.closer.set('key-a', session('a', withPieces(recent, word({ hasDraft: true }))));
    expect(rounds.step().events).toMatchObject([{ kind: 'vetoed', code: 'nothing-unsent' }]);
    expect(code(rounds, 'a')).toBe('set-aside');
    expect(rounds.kinds()).toEqual(['vetoed a', 'chosen b']);
    rounds.outcome = { result: 'skipped', code: 'refused', text: 'no' };
    rounds.run(5 * MINUTE);
    expect(rounds.kinds()).toEqual(['vetoed a', 'chosen b', 'skipped b']);
  });

  it('finds one guard after the other: each is told once, beside what else the round has seen', () => {
    const rounds = new Rounds(idle('a'));
    const hold = standing({ held: { at: 1, reason: null } });
    for (const piece of [hold, word({ hasDraft: true }), hold]) {
      rounds.closer.set('key-a', session('a', withPieces(recent, piece)));
      rounds.run(2 * HOUR, MINUTE);
    }
    expect(rounds.events.map(({ code: one }) => one)).toEqual(['held', 'nothing-unsent']);
    const both = ready();
    both.replace(session('b', withPieces(recent, hold)));
    expect(both.step().events.map(({ kind, session: one }) => `${kind} ${one?.name}`)).toEqual([
      'vetoed b',
      'chosen a',
    ]);
  });

  it('is never taken where no screen could be seen', () => {
    const rounds = new Rounds(idle('a'));
    rounds.screens.set('key-a', null);
    rounds.run(HOUR, MINUTE);
    expect([rounds.kinds(), rounds.memory.steady.size]).toEqual([[], 0]);
  });

  it('finds it changed or gone: it is watched anew', () => {
    const rounds = ready();
    rounds.closer.set('key-a', session('a', withPieces(recent, named({ conversation: 'c-2' }))));
    expect(rounds.step().events).toEqual([]);
    expect(rounds.memory.steady.has('key-a')).toBe(false);
    const again = ready();
    again.closer.set('key-a', null);
    expect(again.step().events).toEqual([]);
    expect(again.memory.chosen).toBeNull();
  });
});

describe('the order of relief', () => {
  const done = standing({ completion: { at: NOW.at - HOUR, outcome: 'done', evidence: null, blockers: [] } });

  it('takes what was kept for its time, then what is safe, then what is idle; the largest first', () => {
    const rounds = new Rounds(
      idle('idle', 9_000_000),
      idle('small-idle', 8_000_000),
      session('safe', idleAgent(), { memoryBytes: 10 }),
      session('kept', withPieces(idleAgent(), done), { memoryBytes: 1 }),
      session('unknown-size', idleAgent(), { memoryBytes: null }),
    );
    rounds.step();
    rounds.run(30 * MINUTE);
    const closed = rounds.events.filter(({ kind }) => kind === 'closed').map(({ session: one }) => one?.name);
    expect(closed).toEqual(['kept', 'safe', 'unknown-size', 'idle', 'small-idle']);
  });

  it('weighs what is freed against what it costs to have it back', () => {
    const shells = session('shell', exitedAgent(), { memoryBytes: 2000 });
    const agents = session('agent', idleAgent(), { memoryBytes: 3000 });
    const old = withPieces(
      idleAgent(),
      pane({ lastOutputAt: NOW.at - 20 * HOUR }),
      history({ quietMs: HOUR }),
    );
    const rounds = new Rounds(agents, shells, session('old', old, { memoryBytes: 3000 }));
    rounds.step();
    rounds.run(30 * MINUTE);
    const closed = rounds.events.filter(({ kind }) => kind === 'closed').map(({ session: one }) => one?.name);
    expect(closed).toEqual(['shell', 'old', 'agent']);
  });

  it('takes what was used long ago before a larger one that is likelier to be wanted back', () => {
    const rested = (name: string, restMs: number, memoryBytes: number) =>
      session(name, withPieces(recent, pane({ lastOutputAt: NOW.at - restMs })), { memoryBytes });
    const sessions = [rested('new', 16 * MINUTE, 1000), rested('old', 28 * MINUTE, 700)];
    expect(sessions.map(({ lifecycle }) => lifecycle)).toEqual(['active', 'active']);
    const shell = session('shell', deadPane(), { memoryBytes: 300, agent: null });
    const rounds = new Rounds(...sessions, shell, session('safe', idleAgent(), { memoryBytes: 1000 }));
    rounds.step();
    rounds.run(30 * MINUTE);
    const closed = rounds.events.filter(({ kind }) => kind === 'closed').map(({ session: one }) => one?.name);
    expect(closed).toEqual(['shell', 'safe', 'old', 'new']);
  });

  it('is the same for two that are alike, whoever was seen first', () => {
    const [a, b] = [idle('a'), idle('b')];
    for (const sessions of [
      [a, b],
      [b, a],
    ]) {
      const rounds = new Rounds(...sessions);
      rounds.step();
      rounds.run(CONFIRM);
      expect(rounds.kinds()).toEqual(['chosen a']);
    }
  });
});

describe('shadow', () => {
  it('names one after the other, each once in an episode, and touches nothing', () => {
    const rounds = new Rounds(idle('a', 5000), idle('b'));
    rounds.mode = 'shadow';
    rounds.step();
    rounds.run(20 * MINUTE);
    expect(rounds.kinds()).toEqual(['chosen a', 'would-close a', 'chosen b', 'would-close b']);
    expect(code(rounds, 'a')).toBe('named');
    expect(rounds.sessions).toHaveLength(2);
    rounds.tier = 'normal';
    expect(rounds.pass(SECOND).step().verdicts[0]?.guard?.code).toBe('no-pressure');
    rounds.tier = 'critical';
    rounds.run(CONFIRM + MINUTE + 20 * SECOND);
    expect(rounds.kinds().slice(4)).toEqual(['chosen a', 'would-close a']);
  });

  it('keeps a budget of its own, which enforce does not share', () => {
    const rounds = new Rounds(...['a', 'b', 'c'].map((name) => idle(name)));
    rounds.mode = 'shadow';
    rounds.budget = { ...FREE, perHour: 2, used: 0 };
    rounds.step();
    rounds.run(20 * MINUTE);
    expect(rounds.kinds().filter((one) => one.startsWith('would-close'))).toHaveLength(2);
    expect(code(rounds, 'c')).toBe('budget-used');
    rounds.run(HOUR, MINUTE);
    expect(rounds.kinds().filter((one) => one.startsWith('would-close'))).toHaveLength(3);
    rounds.mode = 'enforce';
    rounds.run(CONFIRM + MINUTE + 40 * SECOND);
    expect(rounds.kinds()).toContain('closed a');
  });
});

describe('off and calm', () => {
  it('do nothing and say so', () => {
    const rounds = new Rounds(idle('a'));
    rounds.mode = 'off';
    rounds.run(HOUR, MINUTE);
    expect(rounds.events).toEqual([]);
    expect(code(rounds, 'a')).toBe('reaper-off');
    rounds.mode = 'enforce';
    rounds.tier = 'normal';
    rounds.run(HOUR, MINUTE);
    expect(rounds.events).toEqual([]);
  });
});

describe('S48: vetoes', () => {
  const held = session('held', withPieces(recent, standing({ held: { at: 1, reason: null } })));

  it('are told on transition, not on every round, and never of what works', () => {
    const rounds = new Rounds(held, busy('b'), session('lost', recent, { lifecycle: 'lost' }));
    rounds.run(HOUR, MINUTE);
    expect(rounds.kinds()).toEqual(['vetoed held']);
    rounds.replace(session('held', withPieces(recent, people({ clients: [client()] }))));
    rounds.run(MINUTE);
    rounds.replace(held);
    rounds.run(MINUTE);
    expect(rounds.events.map(({ code: one }) => one)).toEqual(['held', 'attached']);
    rounds.tier = 'normal';
    rounds.step();
    rounds.tier = 'critical';
    rounds.step();
    expect(rounds.events.map(({ code: one }) => one)).toEqual(['held', 'attached', 'held']);
  });

  it('are told of what an agent left, and not of what is being closed; nothing is kept of what is gone', () => {
    const left = session('left', withPieces(exitedAgent(), standing({ held: { at: 1, reason: null } })));
    const rounds = new Rounds(left, session('closing', recent, { lifecycle: 'closing' }));
    expect(rounds.step().events.map(({ session: one }) => one?.name)).toEqual(['left']);
    expect(rounds.memory.told.size).toBe(1);
    rounds.remove('key-left');
    rounds.step();
    expect(rounds.memory.told.size).toBe(0);
    const shadow = new Rounds(idle('a'));
    shadow.mode = 'shadow';
    shadow.run(10 * MINUTE);
    expect(shadow.memory.named.size).toBe(1);
    shadow.remove('key-a');
    shadow.step();
    expect(shadow.memory.named.size).toBe(0);
  });

  it('name a used budget once for each, and come in portions', () => {
    const rounds = new Rounds(...Array.from({ length: 60 }, (_, index) => idle(`s${index}`)));
    rounds.budget = { ...FREE, used: 6 };
    expect(rounds.step().events).toHaveLength(50);
    expect(rounds.pass(SECOND).step().events).toHaveLength(10);
    expect(rounds.pass(SECOND).step().events).toEqual([]);
  });

  it('one safe skip stops nobody else, and its pause grows, but not for good', () => {
    const rounds = new Rounds(idle('a', 9000), idle('b'));
    rounds.outcome = { result: 'skipped', code: 'not-safe', text: 'it is active' };
    rounds.step();
    rounds.run(CONFIRM + MINUTE);
    expect(rounds.events.at(-1)).toMatchObject({ kind: 'skipped', code: 'not-safe', text: 'it is active' });
    rounds.outcome = { result: 'closed', receipt: 'r', text: 'closed' };
    rounds.run(8 * MINUTE);
    expect(rounds.kinds().slice(1)).toEqual(['skipped a', 'chosen b', 'closed b', 'chosen a', 'closed a']);
    let memory = setAside(rounds.memory, 'key-x', 0);
    const pauses = [1, 2, 3, 4, 5, 6].map(() => {
      const until = memory.asides.get('key-x')?.untilMs;
      memory = setAside(memory, 'key-x', 0);
      return until;
    });
    expect(pauses.map((ms) => Number(ms) / MINUTE)).toEqual([5, 10, 20, 40, 60, 60]);
  });
});

it('a failed reap trips the breaker: the event says so, and nothing more is closed', () => {
  const rounds = new Rounds(idle('a'));
  rounds.outcome = { result: 'failed', code: 'unrecorded', text: 'the disk is full' };
  rounds.step();
  const [last] = rounds.run(CONFIRM + MINUTE).slice(-1);
  expect(last?.events).toMatchObject([
    { kind: 'failed', code: 'unrecorded', mode: 'enforce' },
    { kind: 'breaker-tripped', code: 'unrecorded', mode: 'shadow', session: { name: 'a' } },
  ]);
  expect(code(rounds, 'a')).toBe('set-aside');
});
