import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/core/verdict/evidence.ts';
import {
  agent,
  client,
  clock,
  DAY,
  deadPane,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  note,
  pane,
  people,
  plainShell,
  processes,
  SECOND,
  screen,
  shell,
  sign,
  unavailable,
  without,
  withPieces,
  word,
} from '../support/evidence.ts';
import { blockersOf, stateOf, verdictOn } from './judged.ts';

const recently = pane({ lastOutputAt: NOW.at - 10 * SECOND });
const daysAgo = [
  pane({ lastOutputAt: NOW.at - 2 * DAY }),
  processes([shell({ startedAt: NOW.at - 3 * DAY })]),
  history({ quietMs: 0 }),
];
const vim = note({ program: 'vim', role: 'interactive' });
const make = note({ program: 'make', cpuPercent: 90 });
const quietly = { kind: 'history', observations: 9, quietMs: 7 * HOUR } as const;

describe('a careful supervisor says', () => {
  it.each<[string, string, Evidence[]]>([
    ['of a plain shell that was just used', 'none/active', withPieces(plainShell(), recently)],
    ['of a plain shell unused for days', 'none/stale', withPieces(plainShell(), ...daysAgo)],
    [
      'of an editor that was just used',
      'none/active',
      withPieces(plainShell(), recently, processes([shell(), vim])),
    ],
    ['of an editor left open for an hour', 'none/stale', withPieces(plainShell(), processes([shell(), vim]))],
    ['of a build', 'working/active', withPieces(plainShell(), processes([shell(), make]))],
    [
      'of a build that has long been quiet',
      'working/active',
      withPieces(plainShell(), processes([shell(), note()])),
    ],
    [
      'of a command that did nothing at all for longer than hungAfter',
      'working/stale',
      withPieces(
        plainShell(),
        pane({ lastOutputAt: NOW.at - 8 * HOUR }),
        processes([shell({ startedAt: NOW.at - DAY }), note()]),
        history(quietly),
      ),
    ],
    [
      'of an unknown full-screen program',
      'unknown/unknown',
      withPieces(
        plainShell(),
        pane({ isFullScreen: true }),
        processes([shell(), note({ program: 'mystery' })]),
      ),
    ],
    [
      'of an ssh',
      'unknown/unknown',
      withPieces(plainShell(), processes([shell(), note({ role: 'remote' })])),
    ],
    ['of an agent that nobody has heard', 'unknown/unknown', without(idleAgent(), 'agent-sign')],
    [
      'of an agent that has just started',
      'starting/active',
      withPieces(
        without(idleAgent(), 'agent-sign'),
        processes([shell(), agent({ startedAt: NOW.at - SECOND })]),
      ),
    ],
    ['of an agent at work', 'working/active', withPieces(idleAgent(), word({ turn: 'running' }))],
    [
      'of an agent that waits for permission',
      'waiting/active',
      withPieces(idleAgent(), word({ waitingFor: 'permission' })),
    ],
    ['of an idle agent that just spoke', 'idle/active', withPieces(idleAgent(), recently)],
    ['of an idle agent with every proof', 'idle/safe-to-close', idleAgent()],
    [
      'of an idle agent with background tasks',
      'working/active',
      withPieces(idleAgent(), word({ background: 2 })),
    ],
    ['of an agent that left a moment ago', 'exited/active', withPieces(exitedAgent(), recently)],
    ['of the bare shell of an exited agent', 'exited/safe-to-close', exitedAgent()],
    ['of a pane that died with status 0', 'exited/safe-to-close', deadPane()],
    [
      'of a session that a person is attached to',
      'idle/active',
      withPieces(idleAgent(), people({ clients: [client()] })),
    ],
    ['of no evidence at all', 'unknown/unknown', []],
  ])('%s: %s', (_, state, evidence) => {
    expect(stateOf(evidence)).toBe(state);
  });
});

describe('the bare shell of an exited agent is not safe to close', () => {
  it.each<[string, string, Evidence[]]>([
    ['with text typed at its prompt', 'nothing-unsent', [screen({ isPromptEmpty: false })]],
    ['with a screen that is not understood', 'nothing-unsent', [screen({ isPromptEmpty: null })]],
    ['in a dirty tree', 'work-saved', [git({ dirtyFiles: 1 })]],
    ['when git does not answer', 'work-saved', [unavailable('git')]],
    [
      'with a child outside the tree',
      'nothing-outside',
      [processes([shell(), note({ relation: 'outside' })])],
    ],
    [
      'with a job in the background',
      'nothing-running',
      [processes([shell(), shell({ pid: 101, parentPid: 100, relation: 'background' })])],
    ],
    ['with a stopped job', 'nothing-running', [processes([shell(), note({ relation: 'stopped' })])]],
    ['with a person attached', 'nobody-there', [people({ clients: [client()] })]],
    ['when somebody left a moment ago', 'nobody-there', [people({ awayMs: MINUTE })]],
    ['while a pane is in copy mode', 'nobody-there', [pane({ isInMode: true })]],
    ['while it shares its windows', 'windows-own', [pane({ isWindowShared: true })]],
  ])('%s', (_, blocker, pieces) => {
    const evidence = withPieces(exitedAgent(), ...pieces);
    expect(verdictOn(evidence).lifecycle).not.toBe('safe-to-close');
    expect(blockersOf(evidence)).toContain(blocker);
  });

  it.each<[string, Evidence['kind'], string]>([
    ['the screen', 'screen', 'nothing-unsent'],
    ['git', 'git', 'work-saved'],
    ['people', 'people', 'nobody-there'],
    ['the processes', 'processes', 'nothing-running'],
  ])('when %s was not looked at', (_, kind, blocker) => {
    expect(verdictOn(without(exitedAgent(), kind)).lifecycle).not.toBe('safe-to-close');
    expect(blockersOf(without(exitedAgent(), kind))).toContain(blocker);
  });
});

describe('an idle agent that lacks one proof is stale, and the blocker names it', () => {
  const { resume: _, ...withoutResume } = named();
  it.each<[string, string, Evidence[]]>([
    ['a draft stands in its input', 'nothing-unsent', withPieces(idleAgent(), word({ hasDraft: true }))],
    [
      'it cannot tell of a draft',
      'nothing-unsent',
      withPieces(idleAgent(), sign({ turn: 'over', waitingFor: null, background: 0 })),
    ],
    ['one quiet look', 'confirmed', withPieces(idleAgent(), history({ observations: 1 }))],
    ['quiet for too short', 'confirmed', withPieces(idleAgent(), history({ quietMs: 9 * SECOND }))],
    ['no history', 'confirmed', without(idleAgent(), 'history')],
    ['no known way to resume', 'finished-or-resumable', withPieces(idleAgent(), withoutResume)],
    ['an empty way to resume', 'finished-or-resumable', withPieces(idleAgent(), named({ resume: [] }))],
    ['uncommitted files', 'work-saved', withPieces(idleAgent(), git({ dirtyFiles: 3 }))],
    ['git was not asked', 'work-saved', without(idleAgent(), 'git')],
    [
      'a child that left the tree',
      'nothing-outside',
      withPieces(idleAgent(), processes([shell(), agent(), note({ relation: 'outside' })])),
    ],
    [
      'another command beside it is stopped',
      'nothing-running',
      withPieces(idleAgent(), processes([shell(), agent(), note({ relation: 'stopped' })])),
    ],
    [
      'an editor that it opened',
      'nothing-running',
      withPieces(idleAgent(), processes([shell(), agent(), note({ parentPid: 300, role: 'interactive' })])),
    ],
    [
      'an editor that it runs in',
      'nothing-running',
      withPieces(idleAgent(), processes([shell(), vim, agent({ parentPid: vim.pid })])),
    ],
    [
      'a window shared with another session',
      'windows-own',
      withPieces(idleAgent(), pane({ isWindowShared: true })),
    ],
    ['a pane in copy mode', 'nobody-there', withPieces(idleAgent(), pane({ isInMode: true }))],
  ])('%s', (_, blocker, evidence) => {
    expect(stateOf(evidence)).toBe('idle/stale');
    expect(blockersOf(evidence)).toEqual([blocker]);
  });

  it('has not rested at all when neither the clock nor the looks can prove it', () => {
    const evidence = withPieces(without(idleAgent(), 'clock'), history({ quietMs: 20 * SECOND }));
    expect(stateOf(evidence)).toBe('idle/active');
    expect(blockersOf(evidence)).toEqual(['rested']);
  });
});

it('only rest that the clock proves counts towards stale', () => {
  expect(stateOf(withPieces(plainShell(), clock({ suspendedMs: HOUR }), history({ quietMs: 0 })))).toBe(
    'none/active',
  );
});
