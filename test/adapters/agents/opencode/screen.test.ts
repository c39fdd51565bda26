import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScreen } from '../../../../src/adapters/agents/opencode/screen.ts';
import { plainRow } from '../../../../src/adapters/tmux/capture-screens.ts';
import type { CapturedScreen } from '../../../../src/ports/agent.ts';
import { cpuSeconds } from '../../../support/cpu-seconds.ts';
import { NOW, readingOf } from './scene.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/agents/opencode/screens');

function recorded(name: string): CapturedScreen {
  const [head = '', ...styled] = readFileSync(join(FOLDER, `${name}.ansi`), 'utf8')
    .replace(/\n$/, '')
    .split('\n');
  const { cursor } = JSON.parse(head) as Pick<CapturedScreen, 'cursor'>;
  return { state: 'captured', paneId: '%1', observedAt: NOW, lines: styled.map(plainRow), styled, cursor };
}

const AT_REST = readingOf({ turn: 'over' });
const ready = { turn: 'over', waitingFor: null, hasDraft: false, isReady: true };
const draft = { ...ready, hasDraft: true };
const busy = { turn: 'running', hasDraft: false };
const permission = { waitingFor: 'permission', isReady: false };
const question = { waitingFor: 'question', isReady: false };
const list = { waitingFor: 'input', isReady: false };

const SCREENS: Readonly<Record<string, readonly [string, object | null]>> = {
  home: ['the first screen', ready],
  'home-60': ['S13: its example wraps', ready],
  'home-40': ['S13: its example wraps', ready],
  'home-draft': ['S16: text on the first screen', draft],
  'home-while-other-works': ['another session works unseen', ready],
  'home-while-other-waits': ['another session waits unseen', ready],
  idle: ['a session at rest', ready],
  'idle-60': ['S13: at rest in 60 columns', ready],
  'idle-40': ['S13: at rest in 40 columns', ready],
  'idle-160-sidebar': ['the sidebar beside the box', ready],
  'idle-aborted': ['S27: after a tool was stopped', ready],
  'idle-interrupted': ['S27: after a retry was stopped', ready],
  'idle-rejected': ['S27: after a permission was refused', ready],
  'idle-answered': ['after a question was answered', ready],
  'idle-compacted': ['after a compaction', ready],
  'idle-background-shell': ['S12: a background shell is not shown', ready],
  'idle-quoted-dialogs': ['S28: dialogs and the busy bar quoted in prose', ready],
  'idle-resumed-ghost': ['S27: the tool of a dead process still turns', ready],
  draft: ['S16: typed text', draft],
  'draft-home': ['S16: typed text, cursor moved', draft],
  'draft-pasted': ['S16: a pasted text that is summed up', draft],
  'slash-menu': ['S16: a half-typed command', draft],
  'shell-mode': ['shell mode takes no prompt', { ...ready, isReady: false }],
  'shell-mode-draft': ['S16: a half-typed shell command', { ...draft, isReady: false }],
  busy: ['S14: a tool runs, the box is empty', busy],
  'busy-60': ['S13: busy in 60 columns', busy],
  'busy-40': ['S13: `esc interrupt` broken into pieces', busy],
  'busy-160': ['busy beside the sidebar', busy],
  'busy-9-rows': ['S13: nine rows', busy],
  'busy-animations-off': ['S10: animations off', busy],
  'busy-animations-off-40': ['S13: animations off in 40 columns', busy],
  'busy-interrupt-once': ['Esc pressed once', busy],
  'busy-queued': ['a prompt waits', busy],
  'busy-retry': ['S17: a failed request is tried again', busy],
  'busy-retry-60': ['S17: the same in 60 columns', busy],
  'busy-retry-40': ['S13: `esc interrupt` cut off', busy],
  'busy-shell-mode': ['a shell command runs', busy],
  'busy-subagent': ['a subagent runs', busy],
  permission: ['S15: a permission', permission],
  'permission-60': ['S15: a permission in 60 columns', permission],
  'permission-40': ['S13: a permission in 40 columns', permission],
  'permission-always': ['S15: its second page', permission],
  'permission-fullscreen': ['S15: in full screen', permission],
  question: ['S15: a question', question],
  'question-60': ['S15: a question in 60 columns', question],
  'question-40': ['S13: a question in 40 columns', question],
  'list-connect': ['S15: a login', { waitingFor: 'login', isReady: false }],
  'list-help': ['the help', list],
  'list-message-actions': ['a list of actions', list],
  'list-model-list': ['the models', list],
  'list-palette': ['the command palette', list],
  'list-palette-40': ['S13: the command palette in 40 columns', list],
  'list-rename': ['a form', list],
  'list-session-list': ['the sessions', list],
  'list-status': ['S28: a window over quoted dialogs', list],
  'list-timeline': ['the messages', list],
  'subagent-view': ['the view of a subagent', { isReady: false }],
  starting: ['nothing yet', null],
};

describe('recorded screens', () => {
  it('are all expected', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace(/\.ansi$/, ''));
    expect(names.sort()).toEqual(Object.keys(SCREENS).sort());
  });

  it.each(Object.entries(SCREENS))('%s: %s', (name, [, expected]) => {
    const sign = readScreen(recorded(name), AT_REST);
    if (expected === null || sign === null) return expect(sign).toBe(expected);
    const { text, ...facts } = sign;
    expect(text).not.toBe('');
    expect(facts).toEqual({ source: 'screen', observedAt: NOW, isLive: true, isVerified: true, ...expected });
  });
});

describe('the head of a window over the session', () => {
  it.each([
    ['list-connect', 'Connect a provider'],
    ['list-palette-40', 'Commands'],
    ['list-session-list', 'Sessions'],
    ['list-status', 'Status'],
  ])('S28: of %s is %s, not a word of the session behind', (name, head) => {
    expect(readScreen(recorded(name), AT_REST)?.text).toBe(`a dialog: ${head}`);
  });
});

describe('what a screen of one session proves of the others', () => {
  const without = { hasDraft: false, isReady: true };

  it.each([
    ['nothing else was heard', readingOf()],
    ['another source tells of work', readingOf({ turn: 'running' })],
    ['sources disagree', readingOf({ turn: 'over' }, { turn: 'running' })],
    ['another session waits', readingOf({ turn: 'over', waitingFor: 'permission' })],
  ])('S18: no rest when %s', (_, reading) => {
    const { turn, waitingFor, ...rest } = readScreen(recorded('home-while-other-works'), reading) ?? {};
    expect([turn, waitingFor]).toEqual([undefined, undefined]);
    expect(rest).toMatchObject(without);
  });

  it('work that is seen needs no other source', () => {
    expect(readScreen(recorded('busy'), readingOf())).toMatchObject({ turn: 'running' });
  });

  it('of a version that was never tried is marked', () => {
    expect(readScreen(recorded('idle'), { ...AT_REST, version: '1.19.0' })).toMatchObject({
      isVerified: false,
    });
  });
});

describe('a screen that was tampered with', () => {
  const change = (name: string, from: string | RegExp, to: string): CapturedScreen => {
    const screen = recorded(name);
    const styled = screen.styled.map((row) => row.replace(from, to));
    return { ...screen, styled, lines: styled.map(plainRow) };
  };

  it('S28: a dialog sign in another colour than its edge is a quotation', () => {
    const quoted = change('permission', /38;5;215m△/, '38;5;255m△');
    expect(readScreen(quoted, AT_REST)).toBeNull();
  });

  it('S16: the example in the colour of typed text proves no empty box', () => {
    const typed = change('home', /38;5;8mAsk/, '38;5;255mAsk');
    expect(readScreen(typed, AT_REST)).not.toHaveProperty('hasDraft');
  });

  it('S16: spaces alone are a draft', () => {
    const screen = recorded('idle');
    const cursor = screen.cursor && { ...screen.cursor, x: screen.cursor.x + 3 };
    expect(readScreen({ ...screen, cursor }, AT_REST)).toMatchObject({ hasDraft: true });
  });

  it('S13: without the row below the box nothing is said of the turn', () => {
    const clipped = change('idle', /.*commands.*/, '');
    expect(readScreen(clipped, AT_REST)).toEqual(
      expect.not.objectContaining({ turn: expect.anything(), isReady: expect.anything() }),
    );
  });

  it('without a cursor nothing is ready', () => {
    expect(readScreen({ ...recorded('idle'), cursor: null }, AT_REST)).toBeNull();
  });

  it('S57: ten megabytes of edges are read in time', () => {
    const styled = Array.from({ length: 500 }, () => `${' '.repeat(20)}┃${'▀ esc  '.repeat(3000)}`);
    const read = () => readScreen({ ...recorded('idle'), styled, lines: styled }, AT_REST);
    expect(cpuSeconds(read)).toBeLessThan(5);
  });
});
