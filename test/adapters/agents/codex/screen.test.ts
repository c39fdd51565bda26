import { describe, expect, test } from 'vitest';
import { readScreen } from '../../../../src/adapters/agents/codex/screen.ts';
import { cpuSeconds } from '../../../support/cpu-seconds.ts';
import { recorded, screenOf } from './fixtures.ts';

const READY = { waitingFor: null, hasDraft: false, isReady: true };
const DRAFT = { waitingFor: null, hasDraft: true, isReady: false };
const WORKING = { turn: 'running', waitingFor: null, hasDraft: false, isReady: false };
const asks = (waitingFor: string): object => ({ waitingFor, isReady: false });
const asksInTurn = (waitingFor: string): object => ({ turn: 'running', ...asks(waitingFor) });

const signOf = (name: string): object | null => {
  const sign = readScreen(recorded(name).screen, true);
  if (sign === null) return null;
  const { source, observedAt, isLive, isVerified, text, ...facts } = sign;
  expect({ source, observedAt, isLive, isVerified }).toEqual({
    source: 'screen',
    observedAt: 1000,
    isLive: true,
    isVerified: true,
  });
  expect(text.length).toBeLessThanOrEqual(200);
  return facts;
};

const replaced = (rows: readonly string[], at: number, row: string): string[] =>
  rows.map((one, index) => (index === at ? row : one));

describe('a recorded screen of a Codex', () => {
  test.each([
    ['idle-fresh', { ...READY, background: 0 }],
    ['idle', READY],
    ['idle-60', READY],
    ['idle-40', READY],
    ['animations-off-idle', READY],
    ['interrupted', READY],
    ['compacted', READY],
    ['shortcuts', READY],
    ['background-terminal', { ...READY, background: 1 }],
  ])('that rests (%s) shows no dialog, and not whether a turn is over', (name, facts) => {
    expect(signOf(name)).toEqual(facts);
  });

  test.each([
    ['anything below the welcome', (rows: string[]) => replaced(rows, 12, '• Ran something')],
    ['a line above it', (rows: string[]) => replaced(rows, 0, '› do it')],
    ['no welcome', (rows: string[]) => replaced(replaced(rows, 1, ''), 2, '')],
    ['background terminals', (rows: string[]) => replaced(rows, 34, '  1 background terminal running')],
  ])('S12: with %s does not prove that nothing runs in the background', (_, change) => {
    const { screen } = recorded('idle-fresh');
    const sign = readScreen(screenOf(change([...screen.styled]), screen.cursor), true);
    expect(sign).toMatchObject(READY);
    expect(sign?.background).toBeUndefined();
  });

  test.each([
    ['working', WORKING],
    ['working-tool', WORKING],
    ['working-60', WORKING],
    ['retrying', WORKING],
    ['reattached', WORKING],
    ['animations-off-working', WORKING],
    ['custom-title-working', WORKING],
    ['working-draft', { ...WORKING, hasDraft: true }],
  ])('that works (%s)', (name, facts) => expect(signOf(name)).toEqual(facts));

  test.each([
    ['working-40', WORKING],
    ['working-30', WORKING],
  ])('S13: that works in a narrow pane (%s)', (name, facts) => expect(signOf(name)).toEqual(facts));

  test('S14: that starts its tools under the welcome tells nothing of the turn', () => {
    expect(signOf('mcp-starting')).toEqual({ ...READY, background: 0 });
  });

  test.each([
    ['stall', READY],
    ['subagent', READY],
  ])('S10, S14: that works and does not show it (%s) tells nothing of the turn', (name, facts) => {
    expect(signOf(name)).toEqual(facts);
    expect(signOf(name)).not.toHaveProperty('turn');
    expect(signOf(name)).not.toHaveProperty('background');
  });

  test.each([
    ['ask', asksInTurn('permission')],
    ['ask-60', asksInTurn('permission')],
    ['ask-40', asksInTurn('permission')],
    ['question', asksInTurn('question')],
    ['question-60', asksInTurn('question')],
    ['question-40', asksInTurn('question')],
    ['plan', asks('plan')],
    ['trust', asks('trust')],
    ['hook-review', asks('hook-review')],
    ['login', asks('login')],
    ['menu', asks('input')],
    ['menu-new', asks('input')],
  ])('S15: that waits (%s)', (name, facts) => expect(signOf(name)).toEqual(facts));

  test.each([
    ['error-ended', { ...READY, waitingFor: 'error' }],
    ['resumed', { ...READY, waitingFor: 'error' }],
  ])('S17: whose turn failed (%s)', (name, facts) => expect(signOf(name)).toEqual(facts));

  test.each(['reconnecting', 'reconnecting-turn'])(
    'S32: that lost its daemon (%s) is not ready, and no dialog is denied',
    (name) => expect(signOf(name)).toEqual({ hasDraft: false, isReady: false }),
  );

  test.each([
    'draft',
    'draft-home',
    'draft-multiline',
    'draft-pasted',
    'draft-space',
    'slash-menu',
    'shell-mode',
    'shell-mode-draft',
  ])('S16: with unsent text (%s)', (name) => expect(signOf(name)).toEqual(DRAFT));

  test('S28: a dialog that is quoted in prose above the box is none', () => {
    expect(signOf('quoted-dialog')).toEqual(READY);
  });
});

describe('a screen made up from a recorded one', () => {
  const { screen } = recorded('idle');
  const composer = screen.lines.findLastIndex((line) => line.startsWith('› '));
  const withLast = (...rows: string[]) => {
    const styled = [...screen.styled];
    styled.splice(composer - 2 - rows.length, rows.length + 2, ...rows, '\x1b[0m', '');
    return screenOf(styled, screen.cursor);
  };

  test('S28: a status line that is quoted is not faint, and is none', () => {
    const quoted = withLast('\x1b[0m• Working (2s • esc to interrupt)');
    expect(readScreen(quoted, true)).toMatchObject(READY);
    const drawn = withLast('\x1b[0m• Working \x1b[2m(2s • esc to interrupt)');
    expect(readScreen(drawn, true)).toMatchObject({ turn: 'running' });
  });

  test('S13: a status line with another key, a longer time, other words or a cut end is one', () => {
    for (const row of [
      'Thinking hard about it \x1b[2m(1h 02m 03s • ctrl+x to interrupt)',
      '◦ Waiting for background terminal \x1b[2m(12m 03s • esc…',
      '• Working \x1b[2m(4s…',
    ])
      expect(readScreen(withLast(`\x1b[0m${row}`), true)).toMatchObject({ turn: 'running' });
  });

  test('S17: a usage limit is told with the time it ends', () => {
    const sign = readScreen(
      withLast(
        '\x1b[38;5;1m■ You’ve hit your usage limit. Upgrade to Pro or',
        '  try again at 3:05 PM.\x1b[39m',
      ),
      true,
    );
    expect(sign).toMatchObject({ waitingFor: 'limit', isReady: true });
    expect(sign?.text).toContain('try again at 3:05 PM');
    expect(readScreen(withLast('■ quoted, not red'), true)).toMatchObject(READY);
  });

  test('S12: a background line counts only as Codex draws it', () => {
    expect(readScreen(withLast('\x1b[2m  3 background terminals running · /ps to…'), true)).toMatchObject({
      background: 3,
    });
    expect(readScreen(withLast('  3 background terminals running'), true)).not.toHaveProperty('background');
  });

  test('without a cursor, or with the cursor elsewhere, no box is found', () => {
    expect(readScreen(screenOf(screen.styled, null), true)).toBeNull();
    for (const cursor of [
      { x: 0, y: composer, width: 120 },
      { x: 120, y: 39, width: 120 },
      { x: 2, y: 0, width: 120 },
    ])
      expect(readScreen(screenOf(screen.styled, cursor), true)?.hasDraft).not.toBe(false);
  });

  test('an earlier prompt, where the box would be, is no box', () => {
    const styled = [...screen.styled];
    styled[composer] = '\x1b[1;2m› \x1b[0mAsk Codex to do anything';
    expect(readScreen(screenOf(styled, screen.cursor), true)).toBeNull();
  });

  test('S15: the chosen line of a dialog is no box, wherever the cursor stands', () => {
    const { screen: dialog } = recorded('ask');
    const chosen = dialog.lines.findIndex((line) => line.startsWith('› 1. Yes'));
    const moved = screenOf(dialog.styled, { x: 5, y: chosen, width: 120 });
    expect(readScreen(moved, true)).toMatchObject({ waitingFor: 'permission', isReady: false });
  });

  test('a box with nothing below it is not understood', () => {
    const styled = screen.styled.slice(0, composer + 1);
    expect(readScreen(screenOf(styled, screen.cursor), true)).toBeNull();
  });

  test('S57: a flood, and an empty screen, take no time', () => {
    const flood = Array.from({ length: 200 }, () => `› ${'('.repeat(2_000)}${' '.repeat(2_000)}s`);
    const screens = [
      screenOf(flood, { x: 2, y: 199, width: 500 }),
      screenOf([`${'a '.repeat(500_000)}(`, '', '› x', '', 'f'], { x: 2, y: 2, width: 500 }),
    ];
    expect(cpuSeconds(() => screens.map((each) => readScreen(each, true)))).toBeLessThan(5);
    expect(readScreen(screenOf([], { x: 0, y: 0, width: 80 }), true)).toBeNull();
  });
});
