import { expect, it } from 'vitest';
import { lineOf } from '../../../src/core/checks/check.ts';
import { finished } from '../../../src/core/checks/finished.ts';
import type { Shortfall } from '../../../src/core/verdict/declared.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { BlockerKind, Check } from '../../../src/core/verdict/verdict.ts';
import {
  deadPane,
  exitedAgent,
  history,
  idleAgent,
  NOW,
  named,
  onPane,
  pane,
  plainShell,
  standing,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const { resume: _, ...withoutResume } = named();
const { exitStatus: __, ...lost } = pane({ isDead: true, exitStatus: 0 });
const beside = (evidence: Evidence[]) =>
  onPane(
    '%2',
    evidence.filter((one) => 'paneId' in one),
  );

const DECLARED = 'its work was declared complete';
const declared = (evidence: Evidence[], blockers: Shortfall[] = []) =>
  withPieces(evidence, standing({ completion: { at: NOW.at, outcome: 'done', evidence: null, blockers } }));

it.each<[string, Check['state'], string, Evidence[]]>([
  ['S44: a pane that died with status 0', 'met', 'its program ended with status 0', deadPane()],
  [
    'S44: a pane that died with another status',
    'unmet',
    'its program ended with status 2',
    withPieces(deadPane(), pane({ isDead: true, exitStatus: 2 })),
  ],
  [
    'S44: a pane that died by a signal',
    'unmet',
    'its program ended by signal 9',
    withPieces(deadPane(), pane({ isDead: true, exitStatus: 0, exitSignal: '9' })),
  ],
  [
    'S44: a pane that died by a signal, without a status',
    'unmet',
    'its program ended by signal 9',
    withPieces(deadPane(), { ...lost, exitSignal: '9' }),
  ],
  [
    'S44: a pane whose status was lost',
    'unknown',
    'its program ended with a status that tmux did not report',
    withPieces(deadPane(), lost),
  ],
  [
    'an agent that can be resumed',
    'met',
    'its conversation can be resumed: claude --resume c-1',
    idleAgent(),
  ],
  [
    'S17: an agent whose last turn ended in an error',
    'unmet',
    'its last turn ended in an error',
    withPieces(idleAgent(), word({ waitingFor: 'error' })),
  ],
  [
    'an agent that does not say how',
    'unknown',
    'how to resume its conversation is not known',
    withPieces(idleAgent(), withoutResume),
  ],
  [
    'an agent with an empty answer',
    'unknown',
    'how to resume its conversation is not known',
    withPieces(idleAgent(), named({ resume: [] })),
  ],
  [
    'an agent that was not heard',
    'unknown',
    'how to resume its conversation is not known',
    without(idleAgent(), 'agent', 'agent-sign'),
  ],
  ['the leftover of an agent', 'met', 'claude has ended by itself', exitedAgent()],
  ['a plain terminal', 'unmet', 'nothing here has finished', plainShell()],
  ['a pane without history', 'unmet', 'nothing here has finished', without(exitedAgent(), 'history')],
  [
    'a leftover whose processes are not seen',
    'met',
    'claude has ended by itself',
    [pane(), history({ agentSeen: 'claude' })],
  ],
  [
    'a completed agent that does not say how',
    'met',
    DECLARED,
    declared(withPieces(idleAgent(), withoutResume)),
  ],
  [
    'a completed program that died with another status',
    'met',
    DECLARED,
    declared(withPieces(deadPane(), pane({ isDead: true, exitStatus: 2 }))),
  ],
  [
    'S30: a completed agent whose last turn ended in an error',
    'unmet',
    'its last turn ended in an error',
    declared(withPieces(idleAgent(), word({ waitingFor: 'error' }))),
  ],
  [
    'S45: a terminal that was added to a completed agent',
    'unmet',
    'nothing here has finished',
    declared([...idleAgent(), ...beside(plainShell())]),
  ],
  [
    'a bare shell that rollcall started, and whose work was declared complete',
    'met',
    DECLARED,
    withPieces(
      plainShell(),
      standing({
        origin: { at: NOW.at, how: 'started', pane: { paneId: '%1', pid: 100 } },
        completion: { at: NOW.at, outcome: 'done', evidence: null, blockers: [] },
      }),
    ),
  ],
  [
    'S29: a completion that was not accepted',
    'unknown',
    'how to resume its conversation is not known',
    declared(withPieces(idleAgent(), withoutResume), [{ code: 'clean', text: '2 files' }]),
  ],
  ['no pane', 'unknown', 'there is no pane to look at', []],
  [
    'the worst of several panes',
    'unmet',
    'nothing here has finished',
    [...exitedAgent(), ...beside(plainShell())],
  ],
  [
    'the unmet one of several panes',
    'unmet',
    'its program ended with status 2',
    [
      ...withPieces(deadPane(), lost),
      ...beside(withPieces(deadPane(), pane({ isDead: true, exitStatus: 2 }))),
    ],
  ],
  [
    'what one of several panes would lose, before what another has not finished',
    'unknown',
    'how to resume its conversation is not known',
    [...withPieces(idleAgent(), withoutResume), ...beside(plainShell())],
  ],
  [
    'the unknown one of several panes',
    'unknown',
    'how to resume its conversation is not known',
    [...exitedAgent(), ...beside(withPieces(idleAgent(), withoutResume))],
  ],
])('finished or resumable is %s: %s', (_, state, text, evidence) => {
  expect(finished(judgedOf(evidence))).toMatchObject({ code: 'finished-or-resumable', state, text });
});

const failed = word({ waitingFor: 'error' });

it.each<[string, BlockerKind, Evidence[]]>([
  ['a live agent that cannot be resumed', 'would-lose', withPieces(idleAgent(), named({ resume: [] }))],
  ['a live agent that was not heard', 'would-lose', without(idleAgent(), 'agent', 'agent-sign')],
  [
    'a failed turn that cannot be resumed',
    'would-lose',
    withPieces(idleAgent(), failed, named({ resume: [] })),
  ],
  ['a pane whose processes are not seen', 'would-lose', [pane()]],
  ['no pane', 'would-lose', []],
  [
    'a live agent beside a plain terminal',
    'would-lose',
    [...beside(withPieces(idleAgent(), withoutResume)), ...plainShell()],
  ],
  ['a failed turn that can be resumed', 'unfinished', withPieces(idleAgent(), failed)],
  ['an agent that is gone', 'unfinished', [...exitedAgent(), withoutResume]],
  ['a plain terminal', 'unfinished', plainShell()],
  ['a program that ended badly', 'unfinished', withPieces(deadPane(), pane({ isDead: true, exitStatus: 2 }))],
  ['a program that ended nobody knows how', 'unfinished', withPieces(deadPane(), lost)],
])('number 4: what is not finished of %s is of the kind %s', (_, kind, evidence) => {
  const { state, kind: found } = lineOf(finished(judgedOf(evidence)));
  expect([state === 'met', found]).toEqual([false, kind]);
});
