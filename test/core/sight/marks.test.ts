import { expect, test } from 'vitest';
import { marksIn } from '../../../src/core/sight/marks.ts';

test('a pane’s mark is read from the end: a path may hold commas', () => {
  const { pane } = marksIn({ TMUX: '/tmp/a,b/x,12,3', TMUX_PANE: '%7' });
  expect(pane).toEqual({ socketPath: '/tmp/a,b/x', serverPid: 12, sessionId: '$3', paneId: '%7' });
});

test.each([
  [{ TMUX: '/tmp/x,12,3' }],
  [{ TMUX_PANE: '%1' }],
  [{ TMUX: '/tmp/x,12', TMUX_PANE: '%1' }],
  [{ TMUX: '/tmp/x,12,3', TMUX_PANE: '7' }],
  [{ TMUX: '', TMUX_PANE: '%1' }],
])('half a mark is none: %o', (env) => {
  expect(marksIn(env).pane).toBeNull();
});

test('agents are known by the variables that they set', () => {
  const marks = marksIn({
    ...{
      CLAUDECODE: '1',
      CLAUDE_PID: '77',
      CLAUDE_CODE_SESSION_ID: 'c1',
      OPENCODE_PID: 'x',
      GEMINI_SESSION_ID: 'g1',
    },
    ...{ CODEX_THREAD_ID: 't1', ROLLCALL_RUN: 'word', CLAUDE_CODE_SESSION_KIND: 'bg' },
  });
  expect(marks).toEqual({
    ...{ pane: null, run: 'word', agentPids: [77], conversations: ['c1', 't1', 'g1'], codexThread: 't1' },
    ...{ isInBackground: true, agent: 'Claude Code' },
  });
});

test.each([
  [{ CLAUDECODE: '1' }, 'Claude Code'],
  [{ CLAUDE_CODE_SESSION_ID: 'c1' }, 'Claude Code'],
  [{ CODEX_THREAD_ID: 't1' }, 'Codex'],
  [{ GEMINI_CLI: '1' }, 'Gemini CLI'],
  [{ OPENCODE: '1' }, 'opencode'],
])('what an agent started says whose it is: %o', (env, agent) => {
  expect(marksIn(env).agent).toBe(agent);
});

// As Claude Code 2.1.325 tells its processes.
test.each([
  ['bg', true],
  ['daemon', true],
  ['daemon-worker', true],
  ['interactive', false],
])('a session of Claude Code of the kind %s works in the background: %s', (kind, is) => {
  expect(marksIn({ CLAUDE_CODE_SESSION_KIND: kind }).isInBackground).toBe(is);
});

test('an empty environment tells nothing', () => {
  expect(marksIn({ ROLLCALL_RUN: '', CLAUDECODE: '' })).toEqual({
    ...{ pane: null, run: null, agentPids: [], conversations: [], codexThread: null },
    ...{ isInBackground: false, agent: null },
  });
});
