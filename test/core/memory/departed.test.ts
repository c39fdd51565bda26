import { describe, expect, it } from 'vitest';
import { type Departed, departuresFrom, stillTold } from '../../../src/core/memory/departed.ts';

const session = (name: string, panes: Record<string, { pid: number }>) => ({
  ...{ sessionId: '$1', name, createdAtSeconds: 1, panes },
});
const server = {
  ...{ socketPath: '/tmp/s', pid: 1, startTicks: 1 },
  sessions: { a: session('alpha', { '%1': { pid: 11 }, '%2': { pid: 12 } }), b: session('beta', {}) },
};
const now = (sessions: string[], paneIds: string[]) => ({
  ...{ sessions: new Set(sessions), paneIds: new Set(paneIds) },
});
const told = (some: readonly Departed[]) =>
  some.map(({ name, panes, isPanesOnly }) => [name, panes.map(({ paneId }) => paneId), isPanesOnly]);

describe('what departed since a look', () => {
  it('is everything of a server that is gone', () => {
    expect(departuresFrom(server, null, 5)).toMatchObject([
      {
        ...{ key: 'a', name: 'alpha', sessionId: '$1', lastSeenAt: 5, isPanesOnly: false },
        server: { socketPath: '/tmp/s', pid: 1, startTicks: 1 },
        panes: [
          { paneId: '%1', pid: 11 },
          { paneId: '%2', pid: 12 },
        ],
      },
      { key: 'b', panes: [] },
    ]);
  });

  it('is nothing where all is there', () => {
    expect(departuresFrom(server, now(['a', 'b'], ['%1', '%2']), 5)).toEqual([]);
  });

  it('is a session that its server does not have, or panes of one that it has', () => {
    expect(told(departuresFrom(server, now(['a'], ['%1', '%2', '%3']), 5))).toEqual([['beta', [], false]]);
    expect(told(departuresFrom(server, now(['b'], []), 5))).toEqual([['alpha', ['%1', '%2'], false]]);
    expect(told(departuresFrom(server, now(['a', 'b'], ['%1']), 5))).toEqual([['alpha', ['%2'], true]]);
  });

  it('is no session whose panes live on elsewhere', () => {
    expect(told(departuresFrom(server, now(['b'], ['%1']), 5))).toEqual([['alpha', ['%2'], true]]);
    expect(told(departuresFrom(server, now(['b'], ['%1', '%2']), 5))).toEqual([]);
  });
});

describe('what departed earlier', () => {
  const at = (lastSeenAt: number) => departuresFrom(server, null, lastSeenAt).slice(0, 1);

  it('is told of for a day, the newest first, and of so many only', () => {
    const day = 86_400_000;
    const times = (some: readonly Departed[]) => some.map(({ lastSeenAt }) => lastSeenAt);
    expect(times(stillTold(at(day), [...at(2), ...at(1)], day + 1))).toEqual([day, 2]);
    expect(stillTold([], undefined, day)).toEqual([]);
    expect(stillTold([], Array.from({ length: 300 }, () => at(1)).flat(), 2)).toHaveLength(200);
  });
});
