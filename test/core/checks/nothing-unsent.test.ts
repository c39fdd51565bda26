import { expect, it } from 'vitest';
import { nothingUnsent } from '../../../src/core/checks/nothing-unsent.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { Check } from '../../../src/core/verdict/verdict.ts';
import {
  deadPane,
  exitedAgent,
  history,
  idleAgent,
  onPane,
  pane,
  screen,
  sign,
  unavailable,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const TEXTS = {
  met: 'nothing unsent stands in any input',
  unmet: 'text stands in the input that was not sent',
  unknown: 'whether something unsent stands in the input cannot be told',
} as const;
const beside = (evidence: Evidence[]) =>
  onPane(
    '%2',
    evidence.filter((one) => 'paneId' in one),
  );

it.each<[string, Check['state'], Evidence[]]>([
  ['an empty prompt', 'met', exitedAgent()],
  ['a dead pane in whose shell something was entered', 'met', [...deadPane(), history({ entered: 'x' })]],
  ['typed text', 'unmet', withPieces(exitedAgent(), screen({ isPromptEmpty: false }))],
  ['a screen that is not understood', 'unknown', withPieces(exitedAgent(), screen({ isPromptEmpty: null }))],
  ['no screen', 'unknown', without(exitedAgent(), 'screen')],
  ['a screen that could not be had', 'unknown', [...exitedAgent(), unavailable('screen', { paneId: '%1' })]],
  ['a dead pane', 'met', deadPane()],
  ['a dead pane whose screen could not be had', 'unknown', [...deadPane(), unavailable('screen')]],
  ['an agent without a draft', 'met', idleAgent()],
  ['S16: an agent with a draft', 'unmet', withPieces(idleAgent(), word({ hasDraft: true }))],
  ['an agent that cannot tell', 'unknown', withPieces(idleAgent(), sign({ turn: 'over' }))],
  ['an agent whose input is covered', 'unknown', withPieces(idleAgent(), word({ isReady: false }))],
  ['an agent without a word, at a prompt', 'met', withPieces(without(idleAgent(), 'agent-sign'), screen())],
  [
    'text typed after the agent that spoke has gone',
    'unmet',
    withPieces(exitedAgent(), word(), screen({ isPromptEmpty: false })),
  ],
  [
    'text in one of two panes, the other not understood',
    'unmet',
    [
      ...withPieces(exitedAgent(), screen({ isPromptEmpty: null })),
      ...beside([screen({ isPromptEmpty: false }), pane()]),
    ],
  ],
  ['one of two panes not understood', 'unknown', [...exitedAgent(), ...beside([pane()])]],
  ['no pane', 'unknown', []],
])('%s: %s', (_, state, evidence) => {
  expect(nothingUnsent(judgedOf(evidence))).toEqual({ code: 'nothing-unsent', state, text: TEXTS[state] });
});

it('tells why a line that looks like an empty prompt is not taken for one', () => {
  const doubted = withPieces(exitedAgent(), screen({ isPromptEmpty: null, promptDoubt: 'bash is at work' }));
  const { text } = nothingUnsent(judgedOf([...doubted, ...beside([pane()])]));
  expect(text).toBe(`${TEXTS.unknown}: bash is at work`);
  const { text: second } = nothingUnsent(
    judgedOf([...exitedAgent(), ...beside([pane()]), ...onPane('%3', doubted)]),
  );
  expect(second).toBe(`${TEXTS.unknown}: bash is at work`);
});

it('is not met by a shell in which something was entered that no screen shows', () => {
  const entered = 'something was entered in bash (pid 100) since its agent left';
  const check = nothingUnsent(judgedOf(withPieces(exitedAgent(), history({ entered }))));
  expect(check).toEqual({ code: 'nothing-unsent', state: 'unmet', text: entered });
});
