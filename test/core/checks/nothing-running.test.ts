import { describe, expect, it } from 'vitest';
import { nothingRunning } from '../../../src/core/checks/nothing-running.ts';
import type { Evidence, ProcessNote } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  deadPane,
  exitedAgent,
  idleAgent,
  note,
  onPane,
  pane,
  processes,
  shell,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

const check = (evidence: Evidence[]) => nothingRunning(judgedOf(evidence));
const exited = (...notes: ProcessNote[]) => check(withPieces(exitedAgent(), processes([shell(), ...notes])));
const idle = (...notes: ProcessNote[]) =>
  check(withPieces(idleAgent(), processes([shell(), agent(), ...notes])));

describe('a program that let go of its terminal', () => {
  const inPane = (...notes: ProcessNote[]) =>
    check(withPieces(exitedAgent(), pane({ hasNoTerminal: true }), processes(notes)));

  it('would be interrupted, also where it is a shell', () => {
    expect(inPane(note({ relation: 'root' }))).toMatchObject({ state: 'unmet' });
    expect(inPane(shell())).toMatchObject({ state: 'unmet' });
  });

  it('is not known to run where it cannot be seen', () => {
    expect(inPane()).toMatchObject({ state: 'unknown' });
  });
});

describe('nothing runs', () => {
  it.each<[string, ReturnType<typeof check>]>([
    ['in a bare shell', exited()],
    ['in a shell in a shell', exited(shell({ pid: 101, parentPid: 100, relation: 'foreground' }))],
    ['in a dead pane', check(deadPane())],
    ['in a dead pane whose processes were not looked for', check(without(deadPane(), 'processes'))],
    ['in the tree, when only a stray runs', exited(note({ relation: 'outside' }))],
    ['beside an agent that vouches for itself', idle()],
    [
      'beside helpers that it keeps',
      idle(
        note({ parentPid: 300, helper: 'MCP server' }),
        note({ pid: 401, parentPid: 300, program: 'npm', role: 'wrapper', relation: 'background' }),
        note({ pid: 402, parentPid: 401, helper: 'language server' }),
      ),
    ],
    [
      'beside a browser that it drives, and that one’s own processes',
      idle(
        note({ parentPid: 300, program: 'chrome', helper: 'browser' }),
        note({ pid: 401, parentPid: 200, program: 'chrome' }),
        note({ pid: 402, parentPid: 401, program: 'chrome' }),
      ),
    ],
    [
      'beside a launcher of its kind',
      check(withPieces(idleAgent(), processes([shell(), agent({ pid: 299 }), agent({ parentPid: 299 })]))),
    ],
  ])('%s', (_, { state, text }) => {
    expect([state, text]).toEqual(['met', 'nothing runs in it that closing would interrupt']);
  });
});

describe('something runs', () => {
  it.each<[string, ReturnType<typeof check>, string]>([
    ['a command', exited(note()), 'make (pid 200)'],
    ['an unknown program', exited(note({ program: 'mystery' })), 'mystery (pid 200)'],
    ['a job in the background', exited(note({ relation: 'background' })), 'make (pid 200)'],
    ['a stopped job', exited(note({ relation: 'stopped' })), 'make (pid 200)'],
    [
      'a subshell in the background',
      exited(shell({ pid: 101, parentPid: 100, relation: 'background' })),
      'bash (pid 101)',
    ],
    [
      'a stopped subshell',
      exited(shell({ pid: 101, parentPid: 100, relation: 'stopped' })),
      'bash (pid 101)',
    ],
    ['a wrapper without a child', exited(note({ role: 'wrapper' })), 'make (pid 200)'],
    [
      'a wrapper that stays with the shell that it carries',
      exited(note({ role: 'wrapper' }), shell({ pid: 101, parentPid: 200, relation: 'foreground' })),
      'make (pid 200)',
    ],
    [
      'the same around a shell that the agent runs in',
      check(
        withPieces(
          idleAgent(),
          processes([
            shell(),
            note({ program: 'timeout', role: 'wrapper' }),
            shell({ pid: 101, parentPid: 200, relation: 'foreground' }),
            agent({ parentPid: 101 }),
          ]),
        ),
      ),
      'timeout (pid 200)',
    ],
    [
      'a shell in front that the agent runs something in',
      idle(shell({ pid: 401, parentPid: 300, relation: 'foreground' })),
      'bash (pid 401)',
    ],
    ['several', exited(note(), note({ pid: 201 }), note({ pid: 202 })), 'make (pid 200) and 2 more'],
    ['an agent that was not heard', check(without(idleAgent(), 'agent-sign')), 'claude (pid 300)'],
    [
      'an agent with background tasks',
      check(withPieces(idleAgent(), word({ background: 1 }))),
      'claude (pid 300)',
    ],
    [
      'an agent that is stopped',
      check(withPieces(idleAgent(), processes([shell(), agent({ relation: 'stopped' })]))),
      'claude (pid 300)',
    ],
    ['another agent beside one that vouches for itself', idle(agent({ pid: 301 })), 'claude (pid 301)'],
    ['a command beside the agent', idle(note()), 'make (pid 200)'],
    ['a child of the agent that is no helper', idle(note({ parentPid: 300 })), 'make (pid 200)'],
    [
      'a shell that the agent runs a command in',
      idle(shell({ pid: 401, parentPid: 300, relation: 'background' })),
      'bash (pid 401)',
    ],
    [
      'a program of the same name below a helper that is no browser',
      idle(
        note({ pid: 401, parentPid: 300, program: 'x', helper: 'MCP server' }),
        note({ parentPid: 401, program: 'x' }),
      ),
      'x (pid 200)',
    ],
    [
      'a command below a helper',
      idle(note({ pid: 401, parentPid: 300, program: 'x', helper: 'MCP server' }), note({ parentPid: 401 })),
      'make (pid 200)',
    ],
    [
      'a ring of children',
      check(
        withPieces(
          idleAgent(),
          processes([shell(), agent({ parentPid: 301 }), agent({ pid: 301, parentPid: 300 })]),
        ),
      ),
      'claude (pid 300) and 1 more',
    ],
    ['a stopped child of the agent', idle(note({ parentPid: 300, relation: 'stopped' })), 'make (pid 200)'],
    [
      'an editor that the agent opened',
      idle(note({ parentPid: 300, program: 'vim', role: 'interactive' })),
      'vim (pid 200)',
    ],
    [
      'an editor that holds the agent',
      check(
        withPieces(
          idleAgent(),
          processes([shell(), note({ program: 'emacs', role: 'interactive' }), agent({ parentPid: 200 })]),
        ),
      ),
      'emacs (pid 200)',
    ],
  ])('%s', (_, { code, state, text }, what) => {
    expect([code, state, text]).toEqual(['nothing-running', 'unmet', `${what} would be interrupted`]);
  });
});

describe('whether something runs is not known', () => {
  it.each<[string, Evidence[]]>([
    ['without a pane', []],
    ['when processes were not looked for', without(exitedAgent(), 'processes')],
    ['S33: when a live pane shows none', withPieces(exitedAgent(), processes([]))],
    [
      'S33: when only strangers are seen',
      withPieces(exitedAgent(), processes([note({ relation: 'outside' })])),
    ],
    ['when one of two panes is out of sight', [...exitedAgent(), ...onPane('%2', [pane()])]],
  ])('%s', (_, evidence) => {
    expect(check(evidence)).toEqual({
      code: 'nothing-running',
      state: 'unknown',
      text: 'not all processes can be seen',
    });
  });
});
