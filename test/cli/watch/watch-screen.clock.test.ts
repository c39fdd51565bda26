import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watch } from '../../../src/cli/watch/watch.ts';
import { entry, NOW, roll } from '../render/samples.ts';
import { EVERY_MS, FakeTerminal } from './fake-terminal.ts';

const ENTER_SCREEN = '\u001b[?1049h\u001b[?25l';
const LEAVE_SCREEN = '\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l';
const two = () => roll([entry('a'), entry('b')]);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function begin() {
  const terminal = new FakeTerminal();
  const code = watch(terminal.surroundings, terminal.options);
  code.catch(() => {});
  return { terminal, code };
}

describe('looking', () => {
  it('begins at once, and goes on at the pace asked for after each answer', async () => {
    const { terminal } = begin();
    expect(terminal.looks).toHaveLength(1);
    await terminal.answer(two());
    await terminal.pass(EVERY_MS - 1);
    expect(terminal.looks).toHaveLength(1);
    await terminal.pass(1);
    expect(terminal.looks).toHaveLength(2);
  });

  it('never overlaps, however long it takes and however often it is asked for', async () => {
    const { terminal } = begin();
    await terminal.emit('text', 'rrr');
    await terminal.pass(60_000);
    expect(terminal.looks).toHaveLength(1);
    await terminal.answer(two());
    expect(terminal.looks).toHaveLength(2);
    await terminal.answer(two());
    expect(terminal.looks).toHaveLength(2);
  });

  it('comes at once when asked for, and the pace starts anew', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    await terminal.pass(EVERY_MS - 100);
    await terminal.emit('text', 'r');
    expect(terminal.looks).toHaveLength(2);
    await terminal.answer(two());
    await terminal.pass(200);
    expect(terminal.looks).toHaveLength(2);
  });

  it('is thorough only for an explanation, and only once', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    await terminal.emit('text', 'e');
    expect(terminal.looks.map((look) => look.options?.inspect !== undefined)).toEqual([false, true]);
    await terminal.answer(two());
    await terminal.pass(EVERY_MS);
    expect(terminal.looks.map((look) => look.options?.inspect !== undefined)).toEqual([false, true, false]);
  });

  it('for an explanation waits until the look under way is back', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    await terminal.pass(EVERY_MS);
    await terminal.emit('text', 'e');
    expect(terminal.looks).toHaveLength(2);
    await terminal.answer(two());
    expect(terminal.looks[2]?.options?.inspect).toBeDefined();
  });

  it('that fails is told, and tried again', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    await terminal.pass(EVERY_MS);
    terminal.looks.at(-1)?.fail(new Error('the table is gone'));
    await terminal.pass(0);
    expect(terminal.take()).toContain('could not look: the table is gone');
    await terminal.pass(EVERY_MS);
    expect(terminal.looks).toHaveLength(3);
  });

  it('goes through the filter of the command line, where a name that is not there yet is no mistake', async () => {
    const terminal = new FakeTerminal();
    const filter = { ...terminal.options.filter, words: ['b', 'later'] };
    void watch(terminal.surroundings, { ...terminal.options, filter });
    await terminal.answer(two());
    const shown = terminal.take();
    expect(shown).toContain('› b ');
    expect(shown).toContain('1 hidden by the filter');
  });
});

describe('the screen', () => {
  it('is redrawn only where it changed', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    terminal.take();
    await terminal.pass(1000);
    const frame = terminal.take();
    expect(frame.match(/\u001b\[\d+;1H/g)).toEqual(['\u001b[1;1H']);
    expect(frame).toContain('seen 1s ago');
    await terminal.emit('text', 'x');
    expect(terminal.take()).toBe('');
  });

  it('is drawn anew, in full and to its new size, when the terminal is resized', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    terminal.take();
    terminal.columns = 40;
    terminal.rows = 8;
    await terminal.emit('resize');
    const frame = terminal.take();
    expect(frame.match(/\u001b\[\d+;1H/g)).toHaveLength(8);
    expect(frame).toContain('\u001b[2J');
  });

  it('is taken back after a stop, and with Ctrl-L', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    terminal.isRaw = false;
    terminal.take();
    await terminal.emit('SIGCONT');
    expect(terminal.take()).toContain(ENTER_SCREEN);
    expect(terminal.isRaw).toBe(true);
    await terminal.emit('text', '\u000c');
    expect(terminal.take()).toContain('› a ');
  });

  it('draws a paste once', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    terminal.take();
    await terminal.emit('text', `/${'b'.repeat(10_000)}`);
    expect(terminal.take().match(/hidden by the filter/g)).toHaveLength(1);
  });

  it('takes a size that is not told for the usual one', () => {
    const terminal = new FakeTerminal();
    terminal.columns = 0;
    terminal.rows = null;
    void watch(terminal.surroundings, terminal.options);
    expect(terminal.take().match(/\u001b\[\d+;1H/g)).toHaveLength(24);
  });

  it('knows a lone Escape from the beginning of an arrow that comes in pieces', async () => {
    const { terminal } = begin();
    await terminal.answer(two());
    await terminal.emit('text', '\u001b');
    await terminal.emit('text', '[B');
    expect(terminal.take()).toContain('› b ');
    await terminal.emit('text', '\u001b');
    await terminal.pass(40);
    await terminal.emit('text', '[');
    await terminal.pass(40);
    await terminal.emit('text', 'A');
    expect(terminal.take()).toContain('› a ');
    await terminal.emit('text', 'j?');
    await terminal.emit('text', '\u001b');
    await terminal.pass(49);
    expect(terminal.take()).not.toContain('› b ');
    await terminal.pass(1);
    expect(terminal.take()).toContain('› b ');
  });
});

describe('the end', () => {
  it.each<[string, (terminal: FakeTerminal) => Promise<void>]>([
    ['q', (terminal) => terminal.emit('text', 'q')],
    ['Ctrl-C', (terminal) => terminal.emit('text', '\u0003')],
    ['SIGINT', (terminal) => terminal.emit('SIGINT')],
    ['SIGTERM', (terminal) => terminal.emit('SIGTERM')],
    ['SIGHUP', (terminal) => terminal.emit('SIGHUP')],
  ])('by %s gives the terminal back exactly once, and leaves nothing running', async (_, end) => {
    const { terminal, code } = begin();
    await terminal.answer(two());
    await terminal.pass(EVERY_MS);
    await end(terminal);
    await end(terminal);
    expect(await code).toBe(0);
    expect(terminal.written.split(LEAVE_SCREEN)).toHaveLength(2);
    expect(terminal.written.endsWith(LEAVE_SCREEN)).toBe(true);
    expect(terminal).toMatchObject({ isRaw: false, rawSwitches: 2, listening: [] });
    await terminal.answer(two());
    expect(terminal.written.endsWith(LEAVE_SCREEN)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('by an error gives the terminal back too, and passes the error on', async () => {
    const { terminal, code } = begin();
    terminal.failure = new Error('the terminal is gone');
    await terminal.answer(two());
    await expect(code).rejects.toThrow('the terminal is gone');
    expect(terminal.written.endsWith(LEAVE_SCREEN)).toBe(true);
    expect(terminal).toMatchObject({ isRaw: false, listening: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('by an error begins no further look when the one under way comes back', async () => {
    const { terminal, code } = begin();
    await terminal.answer(two());
    await terminal.pass(EVERY_MS);
    await terminal.emit('text', 'r');
    terminal.failure = new Error('the terminal is gone');
    await terminal.emit('text', 'j');
    await expect(code).rejects.toThrow('gone');
    await terminal.answer(two());
    expect(terminal.looks).toHaveLength(2);
  });

  it('switches raw mode off even when nothing can be written any more', async () => {
    const { terminal, code } = begin();
    await terminal.answer(two());
    terminal.failure = new Error('closed');
    await terminal.emit('text', 'q');
    expect(await code).toBe(0);
    expect(terminal).toMatchObject({ isRaw: false, listening: [] });
  });
});
