import { describe, expect, it } from 'vitest';
import type { Process } from '../../../src/core/sight/process.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { seeBirth, whereIs } from '../../../src/engine/act/run-see.ts';
import type { PaneTarget } from '../../../src/ports/actuator.ts';
import { entry, roll } from '../../core/close/entry.ts';
import { idleAgent } from '../../support/evidence.ts';

const SERVER = { socketPath: '/tmp/tmux-0/default', pid: 7, startTicks: 70 };
const TARGET: PaneTarget = {
  session: { server: SERVER, sessionId: '$1', createdAtSeconds: 1_800_000_000 },
  ...{ paneId: '%1', pid: 100 },
};
const own = entry(idleAgent());
const withoutIt = entry(idleAgent(), { sessionId: '$2', key: 'other', panes: [] });

function eyes(processes: readonly Partial<Process>[], isComplete = true): Parameters<typeof whereIs>[0] {
  const byPid = new Map(processes.map((one) => [one.pid ?? 0, one as Process]));
  return { processes: { sense: () => ({ observedAt: 0, isComplete, byPid }) } };
}
const running = { pid: 7, startTicks: 70, state: 'S' };

describe('where a pane is', () => {
  it('in its session, whatever else shows its window', () => {
    const linked = entry(idleAgent(), { sessionId: '$2', key: 'linked' });
    expect(whereIs(eyes([]), roll([linked, own]), TARGET)).toMatchObject({ state: 'there', entry: own });
  });

  it('moved, where another session of its server has it', () => {
    const person = entry(idleAgent(), { sessionId: '$2', key: 'person' });
    expect(whereIs(eyes([]), roll([person]), TARGET)).toEqual({ state: 'moved' });
    const later = entry(idleAgent(), { createdAt: 1_800_000_009_000 });
    expect(whereIs(eyes([]), roll([later]), TARGET)).toEqual({ state: 'moved' });
  });

  it('gone, where its very server answers without it', () => {
    expect(whereIs(eyes([running]), roll([withoutIt]), TARGET)).toEqual({ state: 'gone' });
  });

  it.each<[string, readonly Partial<Process>[]]>([
    ['is not there', []],
    ['only waits to be asked for', [{ ...running, state: 'Z' }]],
    ['is another one by now', [{ ...running, startTicks: 71 }]],
  ])('gone, where the process of its server %s', (_, processes) => {
    expect(whereIs(eyes(processes), roll([]), TARGET)).toEqual({ state: 'gone' });
  });

  it('not known, where its server lives and was not heard, or may be hidden', () => {
    expect(whereIs(eyes([running]), roll([]), TARGET)).toEqual({ state: 'unsure' });
    expect(whereIs(eyes([], false), roll([]), TARGET)).toEqual({ state: 'unsure' });
    const { session } = TARGET;
    const unknown = { ...TARGET, session: { ...session, server: { ...SERVER, startTicks: 0 } } };
    expect(whereIs(eyes([running]), roll([]), unknown)).toEqual({ state: 'unsure' });
  });

  it('not known, where another server answers in its place', () => {
    const other = entry(idleAgent(), { server: { ...own.server, pid: 8 }, key: 'other' });
    expect(whereIs(eyes([running]), roll([other]), TARGET)).toEqual({ state: 'unsure' });
  });
});

describe('the first moments of a program', () => {
  const told = entry(idleAgent(), { server: { ...own.server, ...SERVER } });
  // Each look takes half a second; whatever is done with the clock on the wall counts for nothing.
  const looking = (wallAt: (looks: number) => number, seen = roll([told])) => {
    let looks = 0;
    const hands = {
      ...eyes([running]),
      now: () => wallAt(looks),
      moment: () => ({ at: wallAt(looks), awakeMs: looks * 500, suspendedMs: 0 }),
      wait: async () => {},
      look: async () => {
        looks += 1;
        if (looks > 100) throw new Error('it looks on and on');
        return seen;
      },
    } as unknown as Hands;
    return { hands, looks: () => looks };
  };

  it.each([
    ['set back', -86_400_000],
    ['set forward', 86_400_000],
  ])('are over after the same time where the clock is %s', async (_, byMs) => {
    const alive = looking((looks) => 1_800_000_000_000 + (looks > 0 ? byMs : 0));
    expect(await seeBirth(alive.hands, { pane: TARGET } as never)).toMatchObject({ state: 'alive' });
    // What the first one saw was from its beginning.
    expect(alive.looks()).toBe(2);
    const unseen = looking((looks) => 1_800_000_000_000 + (looks > 0 ? byMs : 0), roll([]));
    expect(await seeBirth(unseen.hands, { pane: TARGET } as never)).toMatchObject({ state: 'unseen' });
    expect(unseen.looks()).toBe(21);
  });
});
