import { describe, expect, it } from 'vitest';
import type { Recollection, RememberedPane } from '../../../src/core/memory/recollection.ts';
import { sampled, withLearnt } from '../../../src/core/memory/sampled.ts';
import type { RememberedInput } from '../../../src/core/memory/shell-input.ts';

const input = (turns: string): RememberedInput => ({
  ...{ pid: 9, startTicks: 90, program: 'bash', observedAt: 1, turns, readAt: 1 },
});

function pane(cpuMs: number, over: Partial<RememberedPane> = {}): RememberedPane {
  const processes = [{ pid: 9, startTicks: 90, cpuMs }];
  return {
    ...{ pid: 9, startTicks: 90, isDead: false, processes, observations: 1 },
    ...{ quietSinceAwakeMs: 0, isDisturbed: false, ...over },
  };
}

function memory(panes: Readonly<Record<string, RememberedPane>>): Recollection {
  const verdict = { activity: 'none', lifecycle: 'stale', since: 0 } as const;
  const session = { sessionId: '$1', name: 'one', createdAtSeconds: 1, verdict, panes };
  const server = { socketPath: '/tmp/s', pid: 1, startTicks: 1, sessions: { key: session } };
  const moment = { at: 1, awakeMs: 1, suspendedMs: 0, steppedMs: 0 };
  return { format: 1, bootId: 'b', ...moment, servers: { s: server }, farewells: [] };
}

const panesIn = ({ servers }: Recollection) => servers.s?.sessions.key?.panes;

describe('after a first look that nobody hears', () => {
  it('the second tells what was entered since the look before both, and rates since the first', () => {
    const before = memory({ '%1': pane(1, { input: input('1 1 1') }) });
    const first = memory({ '%1': pane(5, { input: input('2 2 2') }) });
    expect(panesIn(sampled(first, before))).toEqual({ '%1': pane(5, { input: input('1 1 1') }) });
  });

  it.each<[string, RememberedPane | undefined, RememberedPane]>([
    ['a pane that is new', undefined, pane(5, { input: input('2') })],
    ['another program in the pane', pane(1, { pid: 8, input: input('1') }), pane(5, { input: input('2') })],
    ['one that began later', pane(1, { startTicks: 8, input: input('1') }), pane(5, { input: input('2') })],
    ['a shell that is seen first', pane(1), pane(5, { input: input('2') })],
    [
      'a completion that came since',
      pane(1, { input: input('1') }),
      pane(5, { input: input('2'), word: { at: 5 } }),
    ],
    ['an agent that came since', pane(1, { input: input('1') }), pane(5)],
  ])('%s is as the first look has it', (_, before, now) => {
    const first = memory({ '%1': now });
    expect(sampled(first, memory(before ? { '%1': before } : {}))).toEqual(first);
  });

  it('nothing is older where there was no look before', () => {
    const first = memory({ '%1': pane(5, { input: input('2') }) });
    expect(sampled(first, null)).toBe(first);
  });
});

describe('what another process saw meanwhile', () => {
  const USED = 'somebody attached to it has typed since';
  const learnt = (own: RememberedPane, other: RememberedPane) =>
    panesIn(withLearnt(memory({ '%1': own, '%2': pane(2) }), memory({ '%1': other })))?.['%1'];

  it.each<[string, RememberedPane, RememberedPane, Partial<RememberedPane>]>([
    [
      'ends a completion',
      pane(1, { word: { at: 5, restedAt: 6 } }),
      pane(9, { word: { at: 5, used: USED } }),
      { word: { at: 5, used: USED } },
    ],
    [
      'ends one that this process has not heard of',
      pane(1),
      pane(9, { word: { at: 5, used: USED } }),
      { word: { at: 5, used: USED } },
    ],
    [
      'ends no later one',
      pane(1, { word: { at: 7 } }),
      pane(9, { word: { at: 5, used: USED } }),
      { word: { at: 7 } },
    ],
    [
      'changes nothing that has ended',
      pane(1, { word: { at: 5, used: 'a turn' } }),
      pane(9, { word: { at: 5, used: USED } }),
      { word: { at: 5, used: 'a turn' } },
    ],
    [
      'gives nothing back',
      pane(1, { word: { at: 5, used: USED } }),
      pane(9),
      { word: { at: 5, used: USED } },
    ],
    ['makes a shell a person’s', pane(1), pane(9, { entered: 'make' }), { entered: 'make' }],
  ])('S30: %s', (_, own, other, expected) => {
    expect(learnt(own, other)).toEqual({ ...pane(1), ...expected });
  });

  it.each<[string, Partial<RememberedPane>]>([
    ['another program', { pid: 8 }],
    ['one that began later', { startTicks: 91 }],
  ])('S3: is nothing of %s in the same pane', (_, over) => {
    expect(learnt(pane(1), pane(9, { ...over, entered: 'make', word: { at: 5, used: USED } }))).toEqual(
      pane(1),
    );
  });

  it('S19: keeps the last time at which somebody may have been there', () => {
    const people = (thereAwakeMs?: number) => ({
      ...{ isAttached: false, arrivals: '1' },
      ...(thereAwakeMs !== undefined && { thereAwakeMs }),
    });
    const with_ = (one: ReturnType<typeof people> | undefined): Recollection => {
      const whole = memory({});
      const { s } = whole.servers;
      if (s === undefined || one === undefined) return whole;
      const session = { ...(s.sessions.key as NonNullable<typeof s.sessions.key>), people: one };
      return { ...whole, servers: { s: { ...s, sessions: { key: session } } } };
    };
    const kept = (own?: ReturnType<typeof people>, other?: ReturnType<typeof people>) =>
      withLearnt(with_(own), with_(other)).servers.s?.sessions.key?.people;
    expect(kept(people(5), people(9))?.thereAwakeMs).toBe(9);
    expect(kept(people(9), people(5))?.thereAwakeMs).toBe(9);
    expect(kept(people(), people(5))?.thereAwakeMs).toBe(5);
    expect(kept(people(), people())).toEqual(people());
    expect(kept(undefined, people(5))).toBeUndefined();
    expect(kept(people(5), undefined)?.thereAwakeMs).toBe(5);
  });

  it('S3: counts for nothing of another boot, or of other processes', () => {
    const own = memory({ '%1': pane(1) });
    const other = memory({ '%1': pane(9, { entered: 'make' }) });
    expect(withLearnt(own, { ...other, bootId: 'c' })).toBe(own);
    expect(withLearnt(own, { ...other, pidNamespace: 'pid:[2]' })).toBe(own);
  });
});
