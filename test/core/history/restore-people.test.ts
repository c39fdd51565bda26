import { expect, it } from 'vitest';
import type { KeptPiece } from '../../../src/core/history/kept-piece.ts';
import { restoreEvidence } from '../../../src/core/history/restore-evidence.ts';
import { DAY, HOUR, MINUTE, NOW } from '../../support/evidence.ts';

const restored = (over: object) => {
  const piece: KeptPiece = { kind: 'people', clients: [], isThroughGroup: false, ...over };
  return restoreEvidence({ people: piece }, NOW)[0];
};

it('how long nobody has been there grows while nothing is recorded', () => {
  expect(restored({ lastAttachedAt: NOW.at - DAY, thereFromMs: NOW.awakeMs - HOUR })).toMatchObject({
    awayMs: HOUR,
  });
});

it('an earlier version took the last arrival for it', () => {
  expect(restored({ lastAttachedAt: NOW.at - MINUTE })).toMatchObject({ awayMs: MINUTE });
});

it('nobody who ever was there is nobody, and one who is attached is there', () => {
  expect(restored({})).not.toHaveProperty('awayMs');
  expect(restored({ clients: [{ isControl: false }] })).toMatchObject({ awayMs: 0 });
});
