import { describe, expect, it } from 'vitest';
import {
  findTyped,
  isSameInput,
  isSameScreen,
  isTypedAlready,
  type Shown,
  shownIn,
} from '../../../src/core/close/typed.ts';
import { idleAgent, screen as seenScreen, withPieces } from '../../support/evidence.ts';
import { entry } from './entry.ts';

const IDLE = ['  an agent', '', '❯ ', '  ? for shortcuts'];
const screen = (lines: readonly string[], cursor: Shown['cursor'] = null): Shown => ({ lines, cursor });
const find = (before: readonly string[], now: readonly string[], command = '/exit') =>
  findTyped(screen(before), screen(now), command);

it('an input is the same only where a cursor tells which line it is', () => {
  const at = { x: 1, y: 0 };
  expect(isSameInput(screen(['a'], at), screen(['a'], at))).toBe(true);
  expect(isSameInput(screen(['a']), screen(['a'], at))).toBe(false);
  expect(isSameInput(screen(['a'], at), screen(['a']))).toBe(false);
});

describe('a command that was typed', () => {
  it.each([
    ['Claude Code', '❯ /exit'],
    ['Codex', '› /exit'],
    ['Gemini CLI', '│ > /exit                │'],
    ['opencode', '┃  /exit'],
    ['an agent that draws its cursor', '> /exit█'],
  ])('is seen alone in the input of %s', (_, line) => {
    expect(find(IDLE, ['  an agent', '', line, '  /exit    leave the session'])).toBe('alone');
  });

  it('is seen up to the cursor where something else stands at the right', () => {
    const line = '  ┃  /exit                    Context 12 %';
    const before = screen(['  ┃                           Context 12 %'], { x: 5, y: 0 });
    expect(findTyped(before, screen([line], { x: 10, y: 0 }), '/exit')).toBe('alone');
    expect(findTyped(before, screen([line], null), '/exit')).toBe('not-seen');
    expect(findTyped(screen([line], { x: 10, y: 0 }), screen([line], { x: 10, y: 0 }), '/exit')).toBe(
      'not-seen',
    );
    expect(findTyped(before, screen([`  ┃  fix it/exit     Context`], { x: 16, y: 0 }), '/exit')).toBe(
      'behind-text',
    );
    expect(findTyped(before, screen([line], { x: 10, y: 7 }), '/exit')).toBe('not-seen');
  });

  it('is not the line of a menu', () => {
    expect(find(IDLE, ['  ┃ /exit         Exit the app           ┃', '  ┃  /ex'])).toBe('not-seen');
  });

  it('S43: is seen behind a draft that came at the same moment', () => {
    expect(find(IDLE, ['❯ fix the tests/exit'])).toBe('behind-text');
  });

  it('is not seen where it does not show, or stood before', () => {
    expect(find(IDLE, IDLE)).toBe('not-seen');
    expect(find(['❯ /exit'], ['❯ /exit'])).toBe('not-seen');
    expect(find(IDLE, ['/exiting now'])).toBe('not-seen');
  });

  it('S57: is not looked for in lines that no input has', () => {
    expect(find([], [`${' '.repeat(5000)}/exit`])).toBe('not-seen');
  });

  it('S50: stands in the input line already, and not only somewhere on the screen', () => {
    expect(isTypedAlready(screen(['> /exit'], { x: 7, y: 0 }), '/exit')).toBe(true);
    expect(isTypedAlready(screen(['> /exit', '> '], { x: 2, y: 1 }), '/exit')).toBe(false);
    expect(isTypedAlready(screen(['> fix /exit'], { x: 11, y: 0 }), '/exit')).toBe(false);
    expect(isTypedAlready(screen(['> /exit']), '/exit')).toBe(false);
  });

  it('may hold characters that patterns know', () => {
    expect(find(['> '], ['> :q!'], ':q!')).toBe('alone');
    expect(find(['> '], ['> (x)+'], '(x)+')).toBe('alone');
  });
});

describe('two screens', () => {
  const before = screen(['a clock 12:00', '> '], { x: 2, y: 1 });

  it('have the same input where cursor and its line are the same', () => {
    expect(isSameInput(before, screen(['a clock 12:01', '> '], { x: 2, y: 1 }))).toBe(true);
    expect(isSameInput(before, screen(['a clock 12:00', '> x'], { x: 2, y: 1 }))).toBe(false);
    expect(isSameInput(before, screen(['a clock 12:00', '> '], { x: 3, y: 1 }))).toBe(false);
    expect(isSameInput(before, screen(['a clock 12:00', '> '], { x: 2, y: 0 }))).toBe(false);
    expect(isSameInput(before, screen(['a clock 12:00', '> ']))).toBe(false);
    expect(isSameInput(screen(['> ']), screen(['> ']))).toBe(false);
  });

  it('are the same where nothing at all was drawn', () => {
    expect(isSameScreen(before, screen(['a clock 12:00', '> '], { x: 2, y: 1 }))).toBe(true);
    expect(isSameScreen(before, screen(['a clock 12:01', '> '], { x: 2, y: 1 }))).toBe(false);
    expect(isSameScreen(before, screen(['a clock 12:00', '> ']))).toBe(false);
  });
});

describe('what a look saw in a pane', () => {
  it('is its last lines, and nothing where its screen was not captured', () => {
    const tail = ['one', 'two', 'three', 'four'];
    const { evidence } = entry([...withPieces(idleAgent(), seenScreen({ tail }))]);
    expect(shownIn({ evidence }, '%1')).toEqual(['two', 'three', 'four']);
    expect(shownIn({ evidence }, '%2')).toEqual([]);
  });
});
