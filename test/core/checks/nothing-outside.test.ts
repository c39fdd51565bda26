import { expect, it } from 'vitest';
import { nothingOutside } from '../../../src/core/checks/nothing-outside.ts';
import type { Evidence } from '../../../src/core/evidence.ts';
import type { Check } from '../../../src/core/verdict.ts';
import {
  deadPane,
  exitedAgent,
  note,
  onPane,
  pane,
  processes,
  shell,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const stray = note({ program: 'job', relation: 'outside' });
const unseen = 'processes outside the tree cannot be seen';

it.each<[string, Check['state'], string, Evidence[]]>([
  ['nothing', 'met', 'no process outside the tree belongs to it', exitedAgent()],
  [
    'a stray',
    'unmet',
    'job (pid 200) left the tree and still runs',
    withPieces(exitedAgent(), processes([shell(), stray])),
  ],
  [
    'a stray of a dead pane',
    'unmet',
    'job (pid 200) left the tree and still runs',
    withPieces(deadPane(), processes([stray])),
  ],
  [
    'several',
    'unmet',
    'job (pid 200) and 1 more left the tree and still runs',
    withPieces(exitedAgent(), processes([shell(), stray, { ...stray, pid: 201 }])),
  ],
  ['what cannot be seen', 'unknown', unseen, without(deadPane(), 'processes')],
  ['what cannot be seen of one pane', 'unknown', unseen, [...exitedAgent(), ...onPane('%2', [pane()])]],
  ['no pane', 'unknown', unseen, []],
])('S21: outside is %s: %s', (_, state, text, evidence) => {
  expect(nothingOutside(judgedOf(evidence))).toEqual({ code: 'nothing-outside', state, text });
});
