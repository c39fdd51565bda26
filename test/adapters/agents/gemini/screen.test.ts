import { describe, expect, it, test } from 'vitest';
import { readGeminiScreen } from '../../../../src/adapters/agents/gemini/screen.ts';
import { readTitle, titleSign } from '../../../../src/adapters/agents/gemini/title.ts';
import type { AgentSign } from '../../../../src/core/agent/sign.ts';
import type { CapturedScreen } from '../../../../src/ports/agent.ts';
import { cpuSeconds } from '../../../support/cpu-seconds.ts';
import { EMPTY_READING, recordedScreen, recordedScreens, recordedTitle, screenOf } from './recordings.ts';

type Facts = Partial<Pick<AgentSign, 'turn' | 'waitingFor' | 'background' | 'hasDraft' | 'isReady'>>;

const factsOf = (screen: CapturedScreen, title = '', hasShell = false): Facts | null => {
  const word = readTitle(title);
  const signs = word ? [titleSign(word, { title, now: 1, isVerified: true, hasShell })] : [];
  const sign = readGeminiScreen(screen, { ...EMPTY_READING, signs });
  if (!sign) return null;
  const { source, observedAt, isLive, isVerified, text, ...facts } = sign;
  expect({ source, observedAt, isLive, isVerified }).toEqual({
    source: 'screen',
    observedAt: 5_000,
    isLive: true,
    isVerified: true,
  });
  expect(text).not.toBe('');
  return facts;
};

const EMPTY: Facts = { turn: 'over', waitingFor: null, hasDraft: false, isReady: true };
// The name of a hook that has run stays in the status row for some seconds: what it shows is not taken for the end.
const LINGERING: Facts = { waitingFor: null, hasDraft: false, isReady: true };
const DRAFT: Facts = { ...EMPTY, hasDraft: true };
const WORKING: Facts = { turn: 'running', waitingFor: null, hasDraft: false, isReady: false };
const asks = (waitingFor: Facts['waitingFor'] & string): Facts => ({ waitingFor, isReady: false });

const EXPECTED: Readonly<Record<string, Facts | null>> = {
  'idle-fresh': EMPTY,
  'idle-60': EMPTY,
  'idle-40': LINGERING,
  'alt-idle': LINGERING,
  'truecolor-idle': LINGERING,
  'nocolor-idle': LINGERING,
  'static-idle': LINGERING,
  'mcp-idle': EMPTY,
  done: LINGERING,
  'done-tool': EMPTY,
  'done-60': EMPTY,
  'done-40': EMPTY,
  'plain-done': LINGERING,
  'ask-declined': EMPTY,
  shortcuts: { ...EMPTY, background: 1 },
  'dialog-stats': { ...EMPTY, background: 1 },
  'auto-edit': { ...EMPTY, background: 1 },
  'plan-mode': { ...EMPTY, background: 1 },
  yolo: { ...EMPTY, background: 1 },
  bg: { ...EMPTY, background: 1 },
  'bg-60': { ...LINGERING, background: 1 },
  'bg-40': { ...EMPTY, background: 1 },
  'focus-out': LINGERING,
  'focus-out-draft': { waitingFor: null, hasDraft: true, isReady: true },
  'bgview-closed': { waitingFor: null, hasDraft: false, isReady: false, background: 1 },
  'vim-insert': LINGERING,
  'vim-normal': { ...EMPTY, isReady: false },
  'shell-mode': { ...EMPTY, isReady: false, background: 1 },
  prose: { ...EMPTY, background: 1 },
  slow: WORKING,
  'slow-60': WORKING,
  'slow-40': WORKING,
  'alt-slow': WORKING,
  'plain-slow': WORKING,
  stall: { ...WORKING, background: 1 },
  think: { ...WORKING, background: 1 },
  tool: WORKING,
  'tool-60': WORKING,
  'tool-40': WORKING,
  quota: WORKING,
  'user-shell': WORKING,
  queued: { ...WORKING, hasDraft: true },
  compressing: { ...LINGERING, background: 1 },
  draft: { waitingFor: null, hasDraft: true, isReady: true, background: 1 },
  'draft-home': { ...DRAFT, background: 1 },
  'draft-mimic': { ...DRAFT, background: 1 },
  'draft-mimic-home': { ...DRAFT, background: 1 },
  'draft-paste': { ...DRAFT, background: 1 },
  'draft-bigpaste': { ...DRAFT, background: 1 },
  'draft-60': DRAFT,
  'draft-40': DRAFT,
  'truecolor-draft': { waitingFor: null, hasDraft: true, isReady: true },
  'nocolor-draft': { waitingFor: null, hasDraft: true, isReady: true },
  'slash-menu': { ...DRAFT, background: 1 },
  'slash-60': { ...DRAFT, background: 1 },
  'slash-40': { ...DRAFT, background: 1 },
  ask: asks('permission'),
  'ask-60': asks('permission'),
  'ask-40': asks('permission'),
  'alt-ask': asks('permission'),
  'truecolor-ask': asks('permission'),
  'mcp-ask': asks('permission'),
  'keepdrawer-ask': { ...asks('permission'), turn: 'running' },
  amp: asks('permission'),
  edit: asks('permission'),
  question: asks('question'),
  'question-60': asks('question'),
  'question-40': asks('question'),
  loop: asks('question'),
  trust: asks('trust'),
  'trust-60': asks('trust'),
  'trust-40': asks('trust'),
  auth: asks('login'),
  'after-trust': asks('login'),
  'auth-apikey': asks('login'),
  'auth-google': asks('login'),
  'dialog-auth': asks('login'),
  'dialog-settings': asks('input'),
  'dialog-model': asks('input'),
  'dialog-theme': asks('input'),
  'dialog-editor': asks('input'),
  'dialog-privacy': asks('input'),
  'dialog-hooks': asks('input'),
  'dialog-resume': asks('input'),
  'quiet-tool': WORKING,
  'busy-quit': { ...WORKING, hasDraft: true },
  'nospin-slow': WORKING,
  'nospin-compressing': { ...EMPTY, background: 1 },
  minimal: EMPTY,
  'minimal-done': EMPTY,
  'minimal-draft': DRAFT,
  'minimal-slow': { ...WORKING, background: 1 },
  'minimal-compressing': { ...EMPTY, background: 1 },
  'compressing-quiet': { ...EMPTY, background: 1 },
  'shell-focused': { waitingFor: null, hasDraft: false, isReady: false },
  plan: asks('plan'),
  'plan-after': EMPTY,
  setsid: LINGERING,
  deny: LINGERING,
  resumed: EMPTY,
  // The view for screen readers has none of the marks that the others have.
  'reader-idle': null,
  'reader-slow': null,
};

describe('S13, S14, S15, S16, S28: a recorded screen', () => {
  it.each(recordedScreens)('%s', (name) => {
    expect(factsOf(recordedScreen(name), recordedTitle(name), name === 'quiet-tool')).toEqual(EXPECTED[name]);
  });
});

describe('what a screen does not prove', () => {
  test('S28: a dialog quoted in prose or printed by a tool is none', () => {
    const width = 60;
    const box = [
      '│ Allow execution of [Shell]?                          │',
      '│ ● 1. Allow once                                      │',
      '╰──────────────────────────────────────────────────────╯',
    ];
    const prose = [
      '✦ ╭────────────────────────────────────────────────────────╮',
      ...box.map((row) => `  ${row}`),
    ];
    const composer = ['', '', '─'.repeat(width), ' Shift+Tab to accept edits', '', ' > typed'];
    const cursor = { x: 8, y: 0, width };
    for (const rows of [box, prose]) {
      const all = [...rows, ...composer];
      expect(factsOf(screenOf(all.join('\n'), { ...cursor, y: all.length - 1 }))).toEqual(DRAFT);
      expect(factsOf(screenOf(rows.join('\n'), { x: 0, y: rows.length, width }))).toBeNull();
    }
  });

  test('S28: an input box that is quoted is none: neither rule nor cursor is there', () => {
    const rows = ['✦ Here it is:', ' >   Type your message or @path/to/file', '', ' more'];
    expect(factsOf(screenOf(rows.join('\n'), { x: 0, y: 3, width: 60 }))).toBeNull();
  });

  test('S28: a rule that does not cross the pane is no composer of Gemini, and a code is asked for only at the cursor', () => {
    const rows = ['✦ So it looks:', '──────────', ' >   Type your message or @path/to/file'];
    expect(factsOf(screenOf(rows.join('\n'), { x: 0, y: 3, width: 60 }))).toBeNull();
    const asked = ['The program prints:', 'Enter the authorization code:'].join('\n');
    expect(factsOf(screenOf(asked, { x: 0, y: 2, width: 60 }))).toBeNull();
    expect(factsOf(screenOf(asked, { x: 30, y: 1, width: 60 }))).toEqual(asks('login'));
  });

  test('S14: an input box above a dialog is not ready', () => {
    const rows = ['─'.repeat(40), '', ' > half', '', `╭${'─'.repeat(38)}╮`, `│ ● 1. Yes${' '.repeat(29)}│`];
    const screen = screenOf([...rows, `╰${'─'.repeat(38)}╯`].join('\n'), { x: 6, y: 2, width: 40 });
    expect(factsOf(screen)).toEqual(asks('input'));
  });

  test('a dialog that leaves the composer in sight is told by the title where its box is not understood', () => {
    const { turn: _, waitingFor: __, isReady: ___, ...rest } = EMPTY;
    const asking = '✋  Action Required (gemini)';
    expect(factsOf(recordedScreen('done-tool'), asking)).toEqual(rest);
  });

  test('S16: without its colours and the hint beside it, a placeholder may be typed text', () => {
    const rows = [' ', '─'.repeat(60), ' mode', '', ' >   Type your message or @path/to/file'];
    const facts = factsOf(screenOf(rows.join('\n'), { x: 3, y: 4, width: 60 }));
    expect(facts).toEqual({ turn: 'over', waitingFor: null, isReady: true });
  });

  test('S16: an input box that shows nothing, not even its placeholder, is not called empty', () => {
    const rows = [' ', '─'.repeat(60), ' mode', '', ' >', '   second line'];
    expect(factsOf(screenOf(rows.join('\n'), { x: 14, y: 5, width: 60 }))).not.toHaveProperty('hasDraft');
  });

  test('S13: a spinner tells of work where the timer is cut off, a timer where the spinner is switched off', () => {
    for (const status of [' ⠇ Executing Hooks: log-Befo', ' Thinking... (esc to cancel, 3s)']) {
      const rows = [status, '─'.repeat(60), ' mode', '', ' > typed'];
      expect(factsOf(screenOf(rows.join('\n'), { x: 8, y: 4, width: 60 }))).toMatchObject({
        turn: 'running',
      });
    }
  });

  test('S17: compressing is work, though the title says Ready and the input box is there', () => {
    for (const row of ['⠸ Compressing chat history', '  Compressing chat history']) {
      const rows = [row, '', '', '─'.repeat(60), ' mode', '', ' > typed'];
      expect(factsOf(screenOf(rows.join('\n'), { x: 8, y: 6, width: 60 }))).toMatchObject({ background: 1 });
    }
  });

  test('S13: without the cursor in its input box the turn is not called over', () => {
    const screen = recordedScreen('done-tool');
    const cursor = { x: 0, y: 39, width: 120 };
    expect(factsOf({ ...screen, cursor })).toEqual({ waitingFor: null, hasDraft: false, isReady: false });
  });

  test('S57: a screen that was cut off, is empty or is a flood tells nothing', () => {
    expect(factsOf({ ...recordedScreen('done-tool'), cursor: null })).toBeNull();
    expect(factsOf({ ...recordedScreen('trust'), cursor: null })).toBeNull();
    expect(factsOf(screenOf('', { x: 0, y: 0, width: 80 }))).toBeNull();
    const flood = `${'│'.repeat(1_000)}\n`.repeat(3_000);
    const flooded = () => expect(factsOf(screenOf(flood, { x: 0, y: 0, width: 1_000 }))).toBeNull();
    expect(cpuSeconds(flooded)).toBeLessThan(5);
  });

  test('a version that was not tried is not verified', () => {
    const sign = readGeminiScreen(recordedScreen('trust'), { ...EMPTY_READING, version: '0.62.0' });
    expect(sign).toMatchObject({ waitingFor: 'trust', isVerified: false });
  });

  test('a limit tells when it ends', () => {
    const inside = [
      'Usage limit reached for gemini-3-pro.',
      'Access resets at 3:00 PM.',
      '● 1. Switch to gemini-3-flash',
      '  2. Stop',
    ];
    const rows = inside.map((row) => `│ ${row.padEnd(56)} │`);
    const screen = screenOf([...rows, `╰${'─'.repeat(58)}╯`].join('\n'), { x: 0, y: 5, width: 60 });
    expect(factsOf(screen)).toEqual(asks('limit'));
    expect(readGeminiScreen(screen, EMPTY_READING)?.text).toContain('resets at 3:00 PM');
  });
});
