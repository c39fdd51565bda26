import { expect, it } from 'vitest';
import { confirmed } from '../../../src/core/checks/confirmed.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import {
  exitedAgent,
  history,
  idleAgent,
  onPane,
  SECOND,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

it.each<[string, Check['state'], string, Evidence[]]>([
  ['without a live agent', 'met', 'no live agent whose stillness would need confirming', exitedAgent()],
  ['quiet over several looks', 'met', 'seen quiet over several looks, for 1 h', idleAgent()],
  [
    'quiet for just long enough',
    'met',
    'seen quiet over several looks, for 10 s',
    withPieces(idleAgent(), history({ observations: 2, quietMs: 10 * SECOND })),
  ],
  [
    'quiet for too short',
    'unknown',
    'seen quiet for 9 s so far; 10 s are asked for',
    withPieces(idleAgent(), history({ quietMs: 9999 })),
  ],
  [
    'seen once',
    'unknown',
    'seen quiet for under 1 s so far; 10 s are asked for',
    withPieces(idleAgent(), history({ observations: 1 })),
  ],
  [
    'without history',
    'unknown',
    'seen quiet for under 1 s so far; 10 s are asked for',
    without(idleAgent(), 'history'),
  ],
  [
    'with one of two agents not quiet',
    'unknown',
    'seen quiet for 5 s so far; 10 s are asked for',
    [
      ...idleAgent(),
      ...onPane(
        '%2',
        withPieces(idleAgent(), history({ quietMs: 5 * SECOND })).filter((one) => 'paneId' in one),
      ),
    ],
  ],
])('an agent %s is confirmed: %s', (_, state, text, evidence) => {
  expect(confirmed(judgedOf(evidence))).toEqual({ code: 'confirmed', state, text });
});
