import { expect, it } from 'vitest';
import { nobodyThere } from '../../../src/core/checks/nobody-there.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import {
  client,
  exitedAgent,
  MINUTE,
  onPane,
  pane,
  people,
  unavailable,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const base = exitedAgent();

it.each<[string, Check['state'], string, Evidence[]]>([
  ['nobody', 'met', 'nobody is attached, reading or typing', base],
  [
    'somebody who left long enough ago',
    'met',
    'nobody is attached, reading or typing',
    withPieces(base, people({ awayMs: 2 * MINUTE })),
  ],
  [
    'S19: a person',
    'unmet',
    '1 attached',
    withPieces(base, people({ clients: [client({ lastInputAt: 0 })] })),
  ],
  [
    'S19: a person through a grouped session',
    'unmet',
    '1 attached',
    withPieces(base, people({ clients: [client()], isThroughGroup: true })),
  ],
  [
    'S19: a control-mode client',
    'unmet',
    '2 attached',
    withPieces(base, people({ clients: [client({ isControl: true }), client()] })),
  ],
  [
    'S19: somebody in copy mode',
    'unmet',
    'a pane is in copy mode',
    withPieces(base, pane({ isInMode: true })),
  ],
  [
    'S19: somebody in copy mode in one of two panes',
    'unmet',
    'a pane is in copy mode',
    [...base, ...onPane('%2', [pane({ isInMode: true })])],
  ],
  [
    'somebody a moment ago',
    'unmet',
    'someone was there a moment ago, or may have been',
    withPieces(base, people({ awayMs: 2 * MINUTE - 1 })),
  ],
  ['nobody knows who', 'unknown', 'who is attached is not known', without(base, 'people')],
  ['a sensor that failed', 'unknown', 'who is attached is not known', [...base, unavailable('people')]],
])('there is %s: %s', (_, state, text, evidence) => {
  expect(nobodyThere(judgedOf(evidence))).toEqual({ code: 'nobody-there', state, text });
});
