import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watch } from '../../../src/cli/watch/watch.ts';
import type { Roll } from '../../../src/core/sight/roll.ts';
import { entry, NOW, reason, roll } from '../render/samples.ts';
import { EVERY_MS, FakeTerminal } from './fake-terminal.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function begin(options: object = {}) {
  const terminal = new FakeTerminal();
  terminal.isTTY = false;
  terminal.columns = null;
  terminal.rows = null;
  const code = watch(terminal.surroundings, { ...terminal.options, ...options });
  return { terminal, code };
}

async function seen(terminal: FakeTerminal, ...rolls: Roll[]): Promise<void> {
  for (const one of rolls) {
    await terminal.answer(one);
    await terminal.pass(EVERY_MS);
  }
}

describe('a watch without a terminal', () => {
  it('prints the roll when it changes, with a blank line between', async () => {
    const { terminal } = begin();
    await seen(terminal, roll([entry('a')]), roll([entry('a')]), roll([entry('a', { activity: 'idle' })]));
    const parts = terminal.written.split('\n\nNAME');
    expect(parts).toHaveLength(2);
    expect(parts[0]).toMatch(/^NAME.*\na .* working /);
    expect(parts[1]).toMatch(/\na .* idle /);
    expect(terminal.written).not.toContain('\u001b');
  });

  it('does not take age, memory or the wording of a reason for a change', async () => {
    const { terminal } = begin();
    const later = entry('a', {
      memoryBytes: 7,
      since: NOW + 5,
      reasons: [reason('progress', 'process', 'uses 12% of a core')],
    });
    await seen(terminal, roll([entry('a')]), roll([later], { memory: null, at: NOW + 1 }));
    expect(terminal.written.match(/NAME/g)).toHaveLength(1);
  });

  it.each<[string, Partial<Roll>]>([
    ['a session that came', { sessions: [entry('a'), entry('b')] }],
    ['a session that went', { sessions: [] }],
    ['a lifecycle', { sessions: [entry('a', { lifecycle: 'stale' })] }],
    ['a blocker', { sessions: [entry('a', { blockers: [{ code: 'x', kind: 'unfinished', text: 'x' }] })] }],
    ['a problem', { problems: [{ code: 'server-timeout', text: 'hangs' }] }],
  ])('takes %s for a change', async (_, changes) => {
    const { terminal } = begin();
    await seen(terminal, roll([entry('a')]));
    terminal.take();
    await seen(terminal, { ...roll([entry('a')]), ...changes });
    expect(terminal.take()).not.toBe('');
  });

  it('as JSON prints one document per line and change', async () => {
    const { terminal } = begin({ isJson: true });
    await terminal.pass(0);
    await vi.waitFor(() => expect(terminal.looks).toHaveLength(1));
    await seen(terminal, roll([entry('a\u001b')]), roll([entry('a\u001b')]), roll([]));
    const documents = terminal.written
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(documents).toMatchObject([{ schemaVersion: 1, sessions: [{ name: 'a\\e' }] }, { sessions: [] }]);
  });

  it('tells a failed look once on stderr, goes on, and tells it again after a good one', async () => {
    const { terminal } = begin();
    const fail = async () => {
      terminal.looks.at(-1)?.fail(new Error('no answer\u001b[2J'));
      await terminal.pass(EVERY_MS);
    };
    await fail();
    await fail();
    expect(terminal.complained).toBe('! could not look: no answer\\e[2J\n');
    await seen(terminal, roll([entry('a')]));
    await fail();
    expect(terminal.complained.match(/could not look/g)).toHaveLength(2);
    expect(terminal.written).toContain('a ');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends with %s, also in the middle of a look',
    async (signal) => {
      const { terminal, code } = begin();
      await terminal.pass(0);
      await terminal.emit(signal);
      expect(await code).toBe(0);
      expect(terminal.listening).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
      const second = begin();
      await second.terminal.answer(roll([entry('a')]));
      await second.terminal.emit(signal);
      expect(await second.code).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it.each<[string, (terminal: FakeTerminal) => void]>([
    ['keys', (terminal) => Object.assign(terminal.surroundings.stdin, { isTTY: false })],
    ['cursor movement', (terminal) => Object.assign(terminal.surroundings.env, { TERM: 'dumb' })],
  ])('is also what a terminal without %s gets, cut to its width', async (_, change) => {
    const terminal = new FakeTerminal();
    terminal.columns = 40;
    change(terminal);
    void watch(terminal.surroundings, terminal.options);
    await terminal.answer(roll([entry('a'.repeat(80))]));
    expect(terminal.written).not.toContain('\u001b');
    expect(terminal.written).toContain('…');
  });
});
