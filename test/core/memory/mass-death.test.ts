import { describe, expect, it } from 'vitest';
import { massDeath } from '../../../src/core/memory/mass-death.ts';
import type { RememberedPane, RememberedServer } from '../../../src/core/memory/recollection.ts';
import { MINUTE, NOW } from '../../support/evidence.ts';

const remembered: RememberedPane = {
  pid: 1,
  startTicks: 1,
  isDead: false,
  processes: [],
  observations: 1,
  quietSinceAwakeMs: 0,
  isDisturbed: false,
};

function server(alive: number, over: Partial<RememberedServer> = {}, dead = 0): RememberedServer {
  const panes = Object.fromEntries(
    Array.from({ length: alive + dead }, (_, id) => [`%${id}`, { ...remembered, isDead: id >= alive }]),
  );
  const session = {
    sessionId: '$1',
    name: 'a',
    createdAtSeconds: 1,
    verdict: { activity: 'idle', lifecycle: 'active', since: 0 } as const,
    panes,
  };
  return { socketPath: '/s', pid: 1, startTicks: 1, sessions: { a: session, b: session }, ...over };
}

const survivors = (count: number) => new Set(Array.from({ length: count }, (_, id) => `%${id}`));

describe('S32: panes that die between two looks', () => {
  it.each([
    ['all of three', 3, 0, { dead: 3, of: 3 }],
    ['four of five', 5, 1, { dead: 4, of: 5 }],
    ['ninety of a hundred', 100, 10, { dead: 90, of: 100 }],
  ])('S32: %s are a mass death', (_, alive, left, expected) => {
    expect(massDeath(server(alive), survivors(left), NOW, MINUTE)).toEqual({
      awakeMs: NOW.awakeMs,
      ...expected,
    });
  });

  it.each([
    ['two of two', 2, 0],
    ['three of four', 4, 1],
    ['none', 5, 5],
  ])('S32: %s are so many ends', (_, alive, left) => {
    expect(massDeath(server(alive), survivors(left), NOW, MINUTE)).toBeUndefined();
  });

  it('S32: do not count if they were dead before, or if nothing is remembered', () => {
    expect(massDeath(server(0, {}, 5), survivors(0), NOW, MINUTE)).toBeUndefined();
    expect(massDeath(undefined, survivors(0), NOW, MINUTE)).toBeUndefined();
  });

  it('S32: stay in doubt for the hold, measured in awake time, and are then believed', () => {
    const doubt = { awakeMs: NOW.awakeMs - MINUTE + 1, dead: 9, of: 9 };
    expect(massDeath(server(1, { massDeath: doubt }), survivors(1), NOW, MINUTE)).toEqual(doubt);
    const over = { ...doubt, awakeMs: NOW.awakeMs - MINUTE };
    expect(massDeath(server(1, { massDeath: over }), survivors(1), NOW, MINUTE)).toBeUndefined();
  });
});
