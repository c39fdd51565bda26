import { describe, expect, it } from 'vitest';
import { findTyped, type Shown } from '../../../src/core/close/typed.ts';

const IDLE = ['  an agent', '', '❯ ', '  ? for shortcuts'];
const screen = (lines: readonly string[], cursor: Shown['cursor'] = null): Shown => ({ lines, cursor });
const find = (before: readonly string[], now: readonly string[], command = '/exit') =>
  findTyped(screen(before), screen(now), command);

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

  it('may hold characters that patterns know', () => {
    expect(find(['> '], ['> :q!'], ':q!')).toBe('alone');
    expect(find(['> '], ['> (x)+'], '(x)+')).toBe('alone');
  });
});
