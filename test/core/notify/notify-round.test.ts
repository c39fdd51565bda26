import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../src/config/glob.ts';
import { carriedOver, emptyMemory, type NotifyMemory } from '../../../src/core/notify/memory.ts';
import { testOf } from '../../../src/core/notify/notification.ts';
import { notifyRound } from '../../../src/core/notify/notify-round.ts';
import type { NotifyPolicy } from '../../../src/core/notify/rule.ts';
import type { StandingEvidence } from '../../../src/core/verdict/evidence.ts';
import { WAITING_FOR } from '../../../src/core/verdict/verdict.ts';
import { entry, NOW } from '../../cli/render/samples.ts';
import { HOUR, MINUTE, policy, round, rule, START, waiting } from './rounds.ts';

type Parts = Parameters<typeof round>[0];

/** Rounds one after the other, as one daemon has them. */
class Told {
  memory: NotifyMemory = emptyMemory('b');
  isChanged = false;
  readonly #policy: NotifyPolicy;

  constructor(changes: Partial<NotifyPolicy> = {}) {
    this.#policy = policy(changes);
  }

  see(parts: Parts = {}) {
    const notified = notifyRound(this.memory, round(parts), this.#policy, matchesGlob);
    this.memory = notified.memory;
    this.isChanged = notified.isChanged;
    return notified.outgoing.map(({ notification }) => notification);
  }

  titles(parts: Parts = {}): string[] {
    return this.see(parts).map(({ title }) => title);
  }

  restart(bootId = 'b', afterMs = 0): void {
    const stored = JSON.parse(JSON.stringify(this.memory)) as NotifyMemory;
    this.memory = carriedOver(stored, bootId, round({ afterMs }).now);
  }
}

const USED = { code: 'completion-over', source: 'declared', observedAt: NOW, text: 'used' } as const;
const quiet = (name: string) => entry(name);

function complete(name: string, over: Partial<StandingEvidence> = {}, lifecycle = 'completed-retained') {
  const standing: StandingEvidence = {
    ...{ kind: 'standing', source: 'declared', observedAt: NOW, isOwnSession: false, isManaged: true },
    completion: { at: NOW, outcome: 'done', evidence: null, blockers: [] },
    ...over,
  };
  const changes = {
    activity: 'idle',
    lifecycle: lifecycle as 'safe-to-close',
    evidence: [standing],
  } as const;
  return entry(name, changes);
}

describe('what a round is told of', () => {
  it('is one word for all sessions that went with their server, once for each crash', () => {
    const told = new Told({ rules: [rule({ on: ['servers-lost'] })] });
    const gone = (name: string, since: number) => entry(name, { lifecycle: 'lost', lostBy: 'ended', since });
    const sessions = [gone('one', NOW - 2), gone('two', NOW - 1), quiet('three')];
    expect(told.see({ sessions })).toMatchObject([
      {
        title: '2 sessions were lost with their tmux server: rollcall restore',
        ...{ text: 'one, two', since: NOW - 1 },
      },
    ]);
    expect(told.titles({ sessions })).toEqual([]);
    expect(told.titles({ sessions: [...sessions, gone('four', NOW)] })).toHaveLength(1);
    expect(told.titles({ sessions: [quiet('three')] })).toEqual([]);
  });

  it('is a session that waits for a person, with its context', () => {
    expect(new Told().see({ sessions: [waiting('crew-1')] })).toEqual([
      {
        event: 'waiting',
        at: NOW,
        host: 'workshop',
        title: 'crew-1 waits for a permission',
        text: 'asks whether it may run npm publish',
        since: NOW - 12 * MINUTE,
        session: {
          ...{ key: 'm.b.812.9.crew-1.1', name: 'crew-1', server: 'default' },
          ...{ agent: 'claude', role: 'worker', task: 'T-7' },
        },
        waitingFor: 'permission',
        tier: null,
        withheld: {},
      },
    ]);
  });

  it('is whatever a person is waited for, and nothing that passes by itself', () => {
    const told = WAITING_FOR.filter(
      (waitingFor) => new Told().see({ sessions: [waiting('a', { waitingFor })] }).length > 0,
    );
    expect(told).toEqual(WAITING_FOR.filter((one) => one !== 'retry' && one !== 'compaction'));
    expect(new Told().titles({ sessions: [waiting('a', { waitingFor: null })] })).toEqual([
      'a waits for input',
    ]);
  });

  it('is a session that is lost, stale or complete', () => {
    const sessions = [
      entry('gone', { activity: 'exited', lifecycle: 'lost', agent: null, reasons: [] }),
      entry('old', { activity: 'exited', lifecycle: 'stale' }),
      complete('kept'),
      complete('over', {}, 'safe-to-close'),
    ];
    expect(new Told().titles({ sessions })).toEqual([
      'gone is lost',
      'old is stale',
      'kept is complete',
      'over is complete',
    ]);
  });

  it('is not a session that is kept on request, safe without a word, still at it, or refused', () => {
    const sessions = [
      entry('wished', { activity: 'idle', lifecycle: 'completed-retained' }),
      entry('proven', { activity: 'idle', lifecycle: 'safe-to-close' }),
      complete('busy', {}, 'active'),
      { ...complete('used again', {}, 'safe-to-close'), reasons: [USED] },
      complete('refused', {
        completion: { at: NOW, outcome: 'done', evidence: null, blockers: [{ code: 'x', text: 'x' }] },
      }),
    ];
    expect(new Told().titles({ sessions })).toEqual([]);
  });

  it('is a breaker that tripped, once, and the next one', () => {
    const told = new Told();
    const breaker = { at: NOW, code: 'close-failed', text: 'nobody knows how it ended', session: null };
    const session = { key: 'k', name: 'crew-9' };
    expect(told.see({ breaker })).toMatchObject([
      {
        event: 'breaker-tripped',
        title: 'the reaper fell back to shadow',
        text: breaker.text,
        since: NOW,
        session: null,
      },
    ]);
    expect(told.titles({ breaker, afterMs: HOUR })).toEqual([]);
    expect(told.titles({ afterMs: 2 * HOUR })).toEqual([]);
    expect(told.see({ breaker: { ...breaker, at: NOW + 1, session }, afterMs: 2 * HOUR })).toMatchObject([
      { session: { key: 'k', name: 'crew-9', server: null, agent: null } },
    ]);
  });

  it('is a session that was reaped, and nothing else that the reaper does', () => {
    const session = { key: entry('crew-2').key, name: 'crew-2' };
    const reaped = [
      { session },
      { kind: 'would-close', session } as const,
      { kind: 'closed', session: null } as const,
    ];
    expect(new Told().see({ sessions: [quiet('crew-2')], reaped })).toMatchObject([
      {
        event: 'reaped',
        title: 'the reaper freed the memory of crew-2',
        text: 'gave back 300 MiB',
        tier: 'critical',
        session: { agent: 'claude', server: 'default' },
      },
    ]);
  });

  it('2: is a completed session that could not be closed, once for all tries of a while', () => {
    const session = { key: entry('crew-2').key, name: 'crew-2' };
    const told = new Told();
    const failed = { kind: 'failed', session } as const;
    expect(told.see({ settled: [failed, { kind: 'skipped', session }] })).toMatchObject([
      {
        event: 'close-failed',
        title: 'crew-2 is complete and could not be closed',
        text: 'it did not leave',
        session: { name: 'crew-2' },
      },
    ]);
    expect(told.titles({ settled: [failed], afterMs: MINUTE })).toEqual([]);
    expect(told.titles({ settled: [failed], afterMs: HOUR })).toHaveLength(1);
  });

  it('is not a change that is no event', () => {
    const seen = round();
    const changes = [
      { number: 1, at: NOW, kind: 'problem', problem: { code: 'x', text: 'x' }, isOver: false } as const,
    ];
    const { outgoing } = notifyRound(emptyMemory('b'), { ...seen, changes }, policy(), matchesGlob);
    expect(outgoing).toEqual([]);
  });

  it('S54, S57: is short and safe, whatever a name or a reason holds', () => {
    const name = `\u001b]0;x\u0007\n-e $(reboot) "'${'x'.repeat(10_000_000)}`;
    const reasons = [
      { code: 'dialog', source: 'screen', observedAt: NOW, text: `\u202e${'y'.repeat(10_000_000)}` } as const,
    ];
    const [told] = new Told().see({ sessions: [waiting(name, { reasons, role: name, task: name })] });
    const text = JSON.stringify({ ...told, session: { ...told?.session, key: '' } });
    expect(text.length).toBeLessThan(3000);
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]|\\u00/);
    expect(told?.title).toContain('\\e]0;x');
  });
});

describe('a test', () => {
  it('names its rule, and says that nothing has happened', () => {
    expect(testOf('desk', NOW, 'workshop')).toEqual({
      ...{ event: 'test', at: NOW, host: 'workshop', title: 'a test of rollcall’s notifications' },
      ...{ text: 'rule desk reaches you; nothing has happened', since: null, session: null },
      ...{ waitingFor: null, tier: null, withheld: {} },
    });
  });
});

describe('rules', () => {
  it('hear only of their events, and of the sessions that they name', () => {
    const rules = [
      rule({ name: 'crew', on: ['waiting', 'pressure'], only: ['crew-*', 'x'] }),
      rule({ name: 'losses', on: ['lost'] }),
    ];
    const sessions = [
      waiting('crew-1'),
      waiting('own'),
      entry('gone', { activity: 'exited', lifecycle: 'lost' }),
    ];
    const told = notifyRound(
      emptyMemory('b'),
      round({ sessions, tier: 'critical' }),
      policy({ rules }),
      matchesGlob,
    );
    expect(told.outgoing.map((one) => [one.rule.name, one.notification.title])).toEqual([
      ['crew', 'crew-1 waits for a permission'],
      ['crew', 'memory pressure is critical'],
      ['losses', 'gone is lost'],
    ]);
    expect(told.memory.told.map(({ id }) => id)).not.toContain(`waiting ${entry('own').key}`);
  });
});

describe('the same thing', () => {
  it('is told once while it lasts', () => {
    const told = new Told();
    expect(told.titles({ sessions: [waiting('a')] })).toHaveLength(1);
    expect(told.isChanged).toBe(true);
    expect(told.titles({ sessions: [waiting('a')], afterMs: 30 * HOUR })).toEqual([]);
    expect(told.isChanged).toBe(false);
  });

  it('is told again when it ended and came back, after a while', () => {
    const told = new Told();
    told.see({ sessions: [waiting('a')] });
    expect(told.titles({ sessions: [quiet('a')], afterMs: 5 * MINUTE })).toEqual([]);
    expect(told.titles({ sessions: [waiting('a')], afterMs: 10 * MINUTE })).toHaveLength(1);
  });

  it('is not told again while it flaps, but as soon as that time is over and it is still so', () => {
    const told = new Told();
    told.see({ sessions: [waiting('a')] });
    for (let second = 1; second < 600; second += 1) {
      const session = second % 2 === 0 ? waiting('a') : quiet('a');
      expect(told.titles({ sessions: [session], afterMs: second * 1000 })).toEqual([]);
    }
    expect(told.titles({ sessions: [waiting('a')], afterMs: 10 * MINUTE })).toHaveLength(1);
    expect(told.titles({ sessions: [waiting('a')], afterMs: 11 * MINUTE })).toEqual([]);
  });

  it('S32: does not end by doubt, or because a server did not answer', () => {
    const told = new Told();
    told.see({ sessions: [waiting('a')] });
    const doubts = [
      [],
      [entry('a', { activity: 'unknown', lifecycle: 'unknown' })],
      [entry('a', { activity: 'exited', lifecycle: 'unknown' })],
    ];
    for (const [index, sessions] of doubts.entries()) {
      expect(told.titles({ sessions, afterMs: (20 + index) * MINUTE })).toEqual([]);
      expect(told.titles({ sessions: [waiting('a')], afterMs: (21 + index) * MINUTE })).toEqual([]);
    }
  });

  it('is forgotten when it was not seen for an hour', () => {
    const told = new Told();
    told.see({ sessions: [waiting('a')] });
    told.see({ afterMs: HOUR - 1 });
    expect(told.memory.told).toHaveLength(1);
    told.see({ afterMs: HOUR });
    expect(told.memory.told).toEqual([]);
    expect(told.isChanged).toBe(true);
  });

  it('leaves nothing behind once it ended and its time is over', () => {
    const told = new Told();
    told.see({ sessions: [waiting('a')] });
    told.see({ sessions: [quiet('a')], afterMs: 1 });
    expect(told.memory.told).toMatchObject([{ isOn: false }]);
    told.see({ sessions: [quiet('a')], afterMs: 10 * MINUTE });
    expect(told.memory.told).toEqual([]);
  });

  it('is remembered of at most 5000', () => {
    const told = new Told();
    const sessions = Array.from({ length: 6000 }, (_, index) => waiting(`s${index}`));
    told.see({ sessions });
    expect(told.memory.told).toHaveLength(5000);
    expect(told.see({ sessions, afterMs: HOUR })).toEqual([]);
    const changed = [quiet('s0'), ...sessions.slice(1)];
    told.see({ sessions: changed, afterMs: HOUR + 1 });
    expect(told.titles({ sessions: changed, afterMs: HOUR + 2 })).toEqual(['s5000 waits for a permission']);
    expect(told.memory.told).toHaveLength(5000);
  });
});

describe('memory pressure', () => {
  it('is told when it rises, when it rises further, and when it is over', () => {
    const told = new Told();
    expect(told.titles()).toEqual([]);
    expect(told.see({ tier: 'moderate', afterMs: 1 })).toMatchObject([
      {
        event: 'pressure',
        title: 'memory pressure is moderate',
        text: 'moderate by what is available',
        tier: 'moderate',
        session: null,
      },
    ]);
    expect(told.titles({ tier: 'critical', afterMs: 2 })).toEqual(['memory pressure is critical']);
    expect(told.titles({ tier: 'critical', afterMs: 3 })).toEqual([]);
    expect(told.titles({ afterMs: 4 })).toEqual(['memory pressure is normal again']);
    expect(told.titles({ afterMs: 5 * HOUR })).toEqual([]);
  });

  it('is told at most once in a while where it flaps, and never that it is over when nobody was told of it', () => {
    const told = new Told();
    const all: string[] = [];
    for (let second = 0; second < 900; second += 1) {
      all.push(...told.titles({ tier: second % 2 === 0 ? 'moderate' : 'normal', afterMs: second * 1000 }));
    }
    expect(all).toEqual([
      'memory pressure is moderate',
      'memory pressure is normal again',
      'memory pressure is moderate',
      'memory pressure is normal again',
    ]);
  });

  it('stays told for as long as it lasts', () => {
    const told = new Told();
    told.see({ tier: 'moderate' });
    expect(told.titles({ tier: 'normal', afterMs: 1 })).toHaveLength(1);
    expect(told.titles({ tier: 'moderate', afterMs: 2 })).toEqual([]);
    expect(told.titles({ tier: 'moderate', afterMs: 10 * MINUTE })).toHaveLength(1);
  });

  it('that was told is still the last word hours later', () => {
    const told = new Told({ againMs: 24 * HOUR });
    told.see({ tier: 'moderate' });
    told.see({ afterMs: 1 });
    told.see({ tier: 'moderate', afterMs: 2 });
    expect(told.titles({ tier: 'moderate', afterMs: 3 * HOUR })).toEqual([]);
    expect(told.memory.told.map(({ id, isOn }) => [id, isOn])).toEqual([
      ['pressure moderate', false],
      ['pressure normal', true],
    ]);
  });
});

describe('too much at once', () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => waiting(`s${from + index}`));

  it('is told ten times in a round, and the last says how many are withheld', () => {
    const told = new Told();
    const sessions = [...many(40), entry('gone', { activity: 'exited', lifecycle: 'lost' })];
    const all = told.see({ sessions });
    expect(all).toHaveLength(10);
    expect(all.at(-1)).toMatchObject({
      text: 'asks whether it may run npm publish; 30 waiting, 1 lost more are withheld',
      withheld: { waiting: 30, lost: 1 },
    });
    expect(told.titles({ sessions, afterMs: 2 * HOUR })).toEqual([]);
  });

  it('is held to the hour, and summed up when there is room again', () => {
    const told = new Told({ perHour: 3 });
    expect(told.see({ sessions: many(2) })).toHaveLength(2);
    expect(told.see({ sessions: many(3), afterMs: 1 }).at(-1)?.withheld).toEqual({});
    expect(told.see({ sessions: many(5), afterMs: 2 })).toEqual([]);
    expect(told.see({ sessions: many(5), afterMs: HOUR - 1 })).toEqual([]);
    expect(told.see({ sessions: many(5), afterMs: HOUR })).toEqual([
      expect.objectContaining({
        event: 'summary',
        host: 'workshop',
        title: '2 notifications were withheld',
        text: 'there were more than notify.perHour allows: 2 waiting',
      }),
    ]);
    expect(told.see({ sessions: many(5), afterMs: HOUR + 1 })).toEqual([]);
  });

  it('is summed up first, and what is new follows it', () => {
    const told = new Told({ perHour: 1 });
    told.see({ sessions: many(1) });
    told.see({ sessions: many(2), afterMs: 1 });
    expect(told.titles({ sessions: many(3), afterMs: HOUR })).toEqual(['1 notification was withheld']);
    expect(told.memory.rules.all?.withheld).toEqual({ waiting: 1 });
  });

  it('says what is withheld also where there is nothing else to say', () => {
    const sessions = many(11).map(({ name }) => waiting(name, { reasons: [] }));
    expect(new Told().see({ sessions }).at(-1)?.text).toBe('1 waiting more is withheld');
  });
});

describe('S50: a restart', () => {
  it('tells nothing twice, however often it happens', () => {
    const told = new Told();
    const sessions = [waiting('a'), entry('gone', { activity: 'exited', lifecycle: 'lost' })];
    expect(told.see({ sessions, tier: 'critical' })).toHaveLength(3);
    for (let time = 1; time < 50; time += 1) {
      told.restart('b', time * MINUTE);
      expect(told.titles({ sessions, tier: 'critical', afterMs: time * MINUTE })).toEqual([]);
    }
  });

  it('tells what is new', () => {
    const told = new Told();
    told.see({ sessions: [waiting('a')] });
    told.restart('b', 5 * HOUR);
    expect(told.titles({ sessions: [waiting('a'), waiting('b')], afterMs: 5 * HOUR })).toEqual([
      'b waits for a permission',
    ]);
  });

  it('gives no rule a new hour', () => {
    const told = new Told({ perHour: 1 });
    told.see({ sessions: [waiting('a')] });
    told.restart('b', 1);
    expect(told.titles({ sessions: [waiting('b')], afterMs: 1 })).toEqual([]);
  });

  it('of the machine tells no loss twice, though its clock began anew', () => {
    const told = new Told({ perHour: 1 });
    const sessions = [entry('gone', { activity: 'exited', lifecycle: 'lost' })];
    told.see({ sessions });
    told.restart('later', -START + 1000);
    expect(told.memory).toMatchObject({ bootId: 'later', told: [{ awakeMs: 1000 }] });
    expect(told.titles({ sessions, afterMs: -START + 1000 })).toEqual([]);
    expect(told.titles({ sessions: [...sessions, waiting('a')], afterMs: -START + 2000 })).toHaveLength(1);
  });
});
