import { expect, it } from 'vitest';
import { seenNow } from '../../../src/core/checks/seen-now.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import {
  client,
  exitedAgent,
  history,
  massDeath,
  onPane,
  pane,
  people,
  unavailable,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const answered = 'tmux answers for every pane, just now and without contradiction';
const unheard = 'there is no fresh, agreeing word from tmux on every pane';

it.each<[string, Check['state'], string, Evidence[]]>([
  ['everything answers', 'met', answered, exitedAgent()],
  ['tmux failed', 'unknown', 'tmux does not answer', [...exitedAgent(), unavailable('tmux')]],
  [
    'the process table failed for one pane',
    'unknown',
    'process does not answer',
    [...exitedAgent(), unavailable('process', { paneId: '%1' })],
  ],
  ['history failed', 'unknown', 'history does not answer', [...exitedAgent(), unavailable('history')]],
  [
    'what was declared cannot be read',
    'unknown',
    'declared does not answer',
    [...exitedAgent(), unavailable('declared')],
  ],
  ['the host failed', 'unknown', 'host does not answer', [...exitedAgent(), unavailable('host')]],
  [
    'only sensors with a check of their own failed',
    'met',
    answered,
    [
      ...exitedAgent(),
      ...(['screen', 'people', 'git', 'agent'] as const).map((source) => unavailable(source)),
    ],
  ],
  [
    'S32: nearly everything died at once',
    'unknown',
    '9 of 10 panes of this server died at once: a fault, not so many ends',
    [...exitedAgent(), massDeath()],
  ],
  ['two readings differ', 'unknown', unheard, [...exitedAgent(), pane({ isDead: true })]],
  ['two readings of people differ', 'unknown', unheard, [...exitedAgent(), people({ clients: [client()] })]],
  ['one pane was not heard', 'unknown', unheard, [...exitedAgent(), ...onPane('%2', [history()])]],
  ['there is no pane', 'unknown', unheard, []],
])('when %s, it is seen now: %s', (_, state, text, evidence) => {
  expect(seenNow(judgedOf(evidence))).toEqual({ code: 'seen-now', state, text });
});
