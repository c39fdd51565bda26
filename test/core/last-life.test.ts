import { expect, it } from 'vitest';
import { lastLifeIn } from '../../src/core/last-life.ts';
import type { Recollection } from '../../src/core/recollection.ts';

const session = (activity: string) => ({
  verdict: { activity },
  panes: { '%1': { pid: 70, isDead: false }, '%2': { pid: 71, isDead: true } },
});
const memory = (over: object = {}) =>
  ({
    at: 9,
    servers: { s: { sessions: { busy: session('working'), idle: session('idle') } } },
    ...over,
  }) as unknown as Recollection;

it('what was last seen of a session: which of its programs lived, and whether it was at work', () => {
  expect(lastLifeIn(memory(), 'busy')).toEqual({ at: 9, pids: [70], isBusy: true });
  expect(lastLifeIn(memory(), 'idle')).toEqual({ at: 9, pids: [70], isBusy: false });
});

it('is kept for one that is gone', () => {
  const life = { at: 3, pids: [5], isBusy: true };
  expect(lastLifeIn(memory({ lives: { gone: life } }), 'gone')).toBe(life);
  expect(lastLifeIn(memory({ lives: { gone: life } }), 'stranger')).toBeUndefined();
  expect(lastLifeIn(memory(), 'gone')).toBeUndefined();
});
