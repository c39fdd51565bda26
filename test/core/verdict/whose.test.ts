import { describe, expect, it } from 'vitest';
import type { Process } from '../../../src/core/sight/process.ts';
import {
  type Claim,
  type InLine,
  isTmux,
  lineInPane,
  lineOf,
  whose,
} from '../../../src/core/verdict/whose.ts';

const SERVER = { startTicks: 5 };

const at = (pid: number, comm = 'x', over: Partial<InLine> = {}): InLine => ({
  process: { pid, comm, startTicks: 9 },
  program: comm,
  isShared: false,
  ...over,
});

const judge = (over: Partial<Claim> = {}, ...above: InLine[]) => {
  const claim: Claim = { by: 'tree', server: SERVER, line: [at(100), ...above], ...over };
  const judged = whose(claim);
  return judged.of === 'pane' ? judged.place : judged.why;
};

describe('whose a process is', () => {
  it('the pane’s, inside its tree or outside of it', () => {
    expect(judge()).toBe('inside');
    for (const by of ['session', 'mark', 'record'] as const) expect(judge({ by })).toBe('outside');
  });

  it.each([0, 1])('nobody’s where its number is %d', (pid) => {
    expect(judge({ line: [at(pid)] })).toBe('it is not a process of any pane');
  });

  it('nobody’s where it is older than the server: the mark is of an earlier one', () => {
    expect(judge({ by: 'mark', server: { startTicks: 10 } })).toBe(
      'it is older than the tmux server of the pane',
    );
  });

  it('nobody’s where it is another user’s, or nobody can tell', () => {
    expect(judge({ line: [at(100, 'x', { uid: 1000 })], ownUid: 0 })).toBe(
      'it belongs to another user (uid 1000)',
    );
    expect(judge({ line: [at(100, 'x', { uid: null })], ownUid: 0 })).toBe('its user cannot be read');
    expect(judge({ line: [at(100, 'x', { uid: 0 })], ownUid: 0 })).toBe('inside');
  });

  it('nobody’s where it is a tmux server, a shared daemon or a keeper', () => {
    expect(judge({ line: [at(100, 'tmux: server')] })).toBe('it is a tmux server');
    expect(judge({ line: [at(100, 'codex', { isShared: true })] })).toBe('it works for other sessions too');
    expect(judge({ line: [at(100, 'ssh-agent')] })).toBe('it serves more than the session that started it');
    expect(judge({ line: [at(100, 'MainThread', { program: 'code' })] })).toMatch(/^it serves more/);
    expect(judge({ line: [at(100, 'x', { program: null })] })).toBe('inside');
  });

  it('nobody’s below any of these, however deep', () => {
    expect(judge({}, at(99), at(98, 'codex', { isShared: true }))).toBe(
      'it runs below codex (pid 98), which works for other sessions too',
    );
    expect(judge({}, at(99, 'tmux: server', { program: null }))).toBe(
      'it runs below tmux: server (pid 99), which is a tmux server',
    );
  });

  describe('by terminals', () => {
    const placed = (terminal: InLine['terminal'], keepsTerminal?: boolean | null): Partial<InLine> => ({
      ...(terminal !== undefined && { terminal }),
      ...(keepsTerminal !== undefined && { keepsTerminal }),
    });
    const inLine = (...all: Partial<InLine>[]) => {
      const [first, ...above] = all.map((over, index) => at(100 - index, `p${100 - index}`, over));
      return judge({ line: [first as InLine, ...above] });
    };

    it('nobody’s where it left every terminal and keeps one, and so is everything below', () => {
      expect(inLine(placed('none', true))).toBe('it keeps a terminal of its own');
      expect(inLine(placed('other'), placed('none', true))).toBe(
        'it runs below p99 (pid 99), which keeps a terminal of its own',
      );
      expect(inLine(placed('none', false), placed('none', true))).toMatch(/^it runs below p99/);
    });

    it('nobody’s where nobody can read whether it does', () => {
      expect(inLine(placed('none', null))).toMatch(/^it may keep a terminal of its own: what it has open/);
      expect(inLine(placed('pane', null))).toBe('inside');
    });

    it('nobody’s where it runs in another terminal, unless one in its line made that', () => {
      expect(inLine(placed('other'))).toBe('it runs in another terminal');
      expect(inLine(placed('none', false), placed('other'))).toMatch(
        /^it runs below p99 .*another terminal$/,
      );
      expect(inLine(placed('other'), placed('pane', false))).toBe('it runs in another terminal');
      expect(inLine(placed('other'), placed('pane', true))).toBe('inside');
      expect(inLine(placed('other', true), placed('pane', null))).toBe('it runs in another terminal');
      expect(inLine(placed('other'), placed('other', true), placed('pane', true))).toBe('inside');
    });

    it('the pane’s where it has the pane’s terminal, or none, and where nothing tells', () => {
      for (const over of [placed('pane', true), placed('none', false), placed('none'), placed(null), {}]) {
        expect(inLine(over)).toBe('inside');
      }
    });
  });

  it('nobody’s where only the number of a dead pane speaks for it', () => {
    expect(judge({ by: 'session', isPaneDead: true })).toMatch(/^only the number of a terminal session/);
    expect(judge({ by: 'mark', isPaneDead: true })).toBe('outside');
  });
});

describe('the line above a process', () => {
  const process = (pid: number, ppid: number, comm = 'x') => ({ pid, ppid, comm }) as Process;
  const table = (...all: Process[]) => new Map(all.map((one) => [one.pid, one]));
  const pids = (line: readonly Process[]) => line.map(({ pid }) => pid);

  it('ends below process 1, at the pane’s own process, or where a ring begins', () => {
    const all = table(process(1, 0), process(10, 1), process(11, 10), process(12, 11));
    expect(pids(lineOf(process(12, 11), all))).toEqual([12, 11, 10]);
    expect(pids(lineOf(process(12, 11), all, 11))).toEqual([12, 11]);
    expect(pids(lineOf(process(11, 10), all, 11))).toEqual([11]);
    expect(pids(lineOf(process(20, 21), table(process(20, 21), process(21, 20))))).toEqual([20, 21]);
  });

  it('leaves out the server that its pane is of, and not one that runs in the pane', () => {
    const outer = [process(5, 1, 'tmux: server'), process(10, 5)];
    expect(pids(lineInPane(process(11, 10), table(...outer)))).toEqual([11, 10]);
    const nested = table(...outer, process(11, 10, 'tmux'), process(12, 11));
    expect(pids(lineInPane(process(13, 12), nested))).toEqual([13, 12, 11, 10]);
    expect(pids(lineInPane(process(13, 12), table(process(12, 1))))).toEqual([13, 12]);
  });

  it('knows tmux by its exact name', () => {
    expect(['tmux: server', 'tmux', 'tmux: client', 'tmuxinator'].map((comm) => isTmux({ comm }))).toEqual([
      ...[true, true, false, false],
    ]);
  });
});
