import { describe, expect, it } from 'vitest';
import { findTyped } from '../../../src/core/close/typed.ts';

const IDLE = ['  an agent', '', '❯ ', '  ? for shortcuts'];

describe('a command that was typed', () => {
  it.each([
    ['Claude Code', '❯ /exit'],
    ['Codex', '› /exit'],
    ['Gemini CLI', '│ > /exit                │'],
    ['opencode', '┃  /exit'],
    ['with a drawn cursor', '> /exit█'],
  ])('is seen alone in the input of %s', (_, line) => {
    expect(findTyped(IDLE, ['  an agent', '', line, '  /exit    leave the session'], '/exit')).toBe('alone');
  });

  it('S43: is seen behind a draft that came at the same moment', () => {
    expect(findTyped(IDLE, ['❯ fix the tests/exit'], '/exit')).toBe('behind-text');
  });

  it('is not seen where it does not show, or stood before', () => {
    expect(findTyped(IDLE, IDLE, '/exit')).toBe('not-seen');
    expect(findTyped(['❯ /exit'], ['❯ /exit'], '/exit')).toBe('not-seen');
    expect(findTyped(IDLE, ['/exiting now'], '/exit')).toBe('not-seen');
  });

  it('S57: is not looked for in lines that no input has', () => {
    expect(findTyped([], [`${' '.repeat(5000)}/exit`], '/exit')).toBe('not-seen');
  });

  it('may hold characters that patterns know', () => {
    expect(findTyped(['> '], ['> :q!'], ':q!')).toBe('alone');
    expect(findTyped(['> '], ['> (x)+'], '(x)+')).toBe('alone');
  });
});
