import { describe, expect, it } from 'vitest';
import { LazyChecklist } from '../../../src/core/verdict/checklist.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { lifecycleOf } from '../../../src/core/verdict/lifecycle.ts';
import type { Activity } from '../../../src/core/verdict/verdict.ts';
import {
  client,
  DAY,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  massDeath,
  NOW,
  note,
  onPane,
  pane,
  people,
  plainShell,
  processes,
  SECOND,
  screen,
  shell,
  unavailable,
  without,
  withPieces,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

function lifecycle(evidence: Evidence[], activity?: Activity) {
  const judged = judgedOf(evidence, activity === undefined ? {} : { activity });
  const { lifecycle: state, reason } = lifecycleOf(judged, new LazyChecklist(judged));
  return [state, reason?.code ?? null, reason?.text ?? null];
}

const hung = withPieces(
  plainShell(),
  pane({ lastOutputAt: NOW.at - 7 * HOUR }),
  processes([shell({ startedAt: NOW.at - DAY }), note()]),
  history({ quietMs: 6 * HOUR }),
);

describe('the lifecycle', () => {
  it.each<[string, ReturnType<typeof lifecycle>, Evidence[], Activity?]>([
    ['without evidence', ['unknown', null, null], []],
    ['when a sensor failed', ['unknown', null, null], [...exitedAgent(), unavailable('process')]],
    ['of unknown activity', ['unknown', null, null], exitedAgent(), 'unknown'],
    [
      'after a mass death',
      ['unknown', 'mass-death', '9 of 10 panes of this server died at once: a fault, not so many ends'],
      [...exitedAgent(), massDeath()],
    ],
    [
      'after a mass death with a failed sensor',
      ['unknown', 'mass-death', '9 of 10 panes of this server died at once: a fault, not so many ends'],
      [...exitedAgent(), massDeath(), unavailable('tmux')],
    ],
    ['of work', ['active', null, null], plainShell(), 'working'],
    ['of waiting', ['active', null, null], plainShell(), 'waiting'],
    ['of a start', ['active', null, null], plainShell(), 'starting'],
    ['of a command that hangs', ['stale', 'no-progress', 'runs, but nothing has moved for 6 h'], hung],
    [
      'of a command that was quiet for less',
      ['active', null, null],
      withPieces(hung, history({ quietMs: 6 * HOUR - 1 })),
    ],
    ['of a command that was never watched', ['active', null, null], without(hung, 'history')],
    [
      'of a hung command beside a pane that is not quiet',
      ['active', null, null],
      [...hung, ...onPane('%2', plainShell().slice(0, 2)), ...onPane('%2', [history({ quietMs: HOUR })])],
    ],
    [
      'with a person attached',
      ['active', 'person-attached', 'a person is attached'],
      withPieces(exitedAgent(), people({ clients: [client()] })),
    ],
    [
      'of recent rest',
      ['active', null, null],
      withPieces(exitedAgent(), pane({ lastOutputAt: NOW.at - MINUTE + 1 })),
    ],
    [
      'with full proof',
      ['safe-to-close', 'proven', 'finished: nothing runs, nothing is unsent, nothing would be lost'],
      withPieces(exitedAgent(), pane({ lastOutputAt: NOW.at - MINUTE })),
    ],
    ['of a plain terminal', ['stale', 'long-unused', 'a plain terminal, unused for 1 h'], plainShell()],
    [
      'with something against it',
      ['stale', 'proof-incomplete', '2 uncommitted files on branch topic'],
      withPieces(exitedAgent(), git({ dirtyFiles: 2 }), screen({ isPromptEmpty: null })),
    ],
    [
      'with something merely not known',
      ['stale', 'proof-incomplete', 'seen quiet for 9 s so far; 10 s are asked for'],
      withPieces(idleAgent(), history({ quietMs: 9 * SECOND })),
    ],
  ])('%s: %j', (_, expected, evidence, activity) => {
    expect(lifecycle(evidence, activity)).toEqual(expected);
  });

  it('does not go through the checklist of a session at work', () => {
    const judged = judgedOf(exitedAgent(), { activity: 'working' });
    const checklist = {
      get checks(): never {
        throw new Error('nobody asked');
      },
    };
    expect(lifecycleOf(judged, checklist).lifecycle).toBe('active');
  });
});
