import { describe, expect, it } from 'vitest';
import { readKept } from '../../../src/core/close/kept-document.ts';
import {
  isOfAge,
  otherPanes,
  runsItsOwn,
  seenInPane,
  topmost,
  withoutRunning,
} from '../../../src/core/close/left-running.ts';
import type { Reopening } from '../../../src/core/close/reopening.ts';

const PANES = [
  { paneId: '%1', cwd: '/', isActive: true, isThere: true as const },
  { paneId: '%2', cwd: '/', isActive: false, command: ['tail', '-f', 'x'] },
  { paneId: '%3', cwd: '/', isActive: false, command: ['less', 'x'] },
  { cwd: '/', isActive: false, command: ['top'] },
];
const whole = {
  windows: [{ index: 0, panes: PANES }],
  missing: ['pane %2: not run again: x', 'pane %2: claude is not started again', 'pane %3: not run again: y'],
} as unknown as Reopening;

describe('what outlived its session', () => {
  it('matters in the first pane where that would run a program that is neither an agent nor a shell', () => {
    const first = (over: Partial<Reopening>) => runsItsOwn({ agent: null, argv: null, ...over });
    expect(first({ argv: ['serve'] })).toBe(true);
    expect(first({ argv: ['bash', 'serve.sh'] })).toBe(true);
    expect(first({ line: 'serve' })).toBe(true);
    expect(first({ argv: ['bash', '--norc'] })).toBe(false);
    expect(first({})).toBe(false);
    expect(first({ argv: ['claude'], agent: { kind: 'claude', conversation: null } })).toBe(false);
  });

  it('is told, and nothing is started in its pane', () => {
    expect(otherPanes(whole)).toEqual(['%2', '%3']);
    expect(withoutRunning(whole, () => [])).toBe(whole);
    const left = (paneId: string) =>
      paneId === '%2'
        ? [
            { pid: 7, comm: 'tail\n' },
            { pid: 8, comm: 'x' },
          ]
        : [];
    expect(withoutRunning(whole, left)).toEqual({
      windows: [
        { index: 0, panes: [PANES[0], { paneId: '%2', cwd: '/', isActive: false }, PANES[2], PANES[3]] },
      ],
      missing: [
        'pane %2: claude is not started again',
        'pane %3: not run again: y',
        'pane %2: nothing is started in it, because it still runs: tail\\n (pid 7), x (pid 8)',
      ],
    });
  });

  it('is told of each pane, and what was said of it before is not', () => {
    const left = (paneId: string) => (paneId === '%2' || paneId === '%3' ? [{ pid: 7, comm: 'tail' }] : []);
    expect(withoutRunning(whole, left).missing).toEqual([
      'pane %2: claude is not started again',
      'pane %2: nothing is started in it, because it still runs: tail (pid 7)',
      'pane %3: nothing is started in it, because it still runs: tail (pid 7)',
    ]);
  });

  it('is known by the processes that were seen, but for those that serve others too', () => {
    const processes = [
      { pid: 1, startTicks: 10 },
      { pid: 2, startTicks: 20, isKeeper: true },
      { pid: 3, startTicks: 30, kept: 'it serves others' },
      { pid: 4 },
      { startTicks: 50 },
      7,
    ];
    const document = readKept({ panes: [3, { paneId: '%1', processes }] });
    expect([...seenInPane(document, '%1')]).toEqual(['1.10']);
    expect([...seenInPane(document, '%2')]).toEqual([]);
    expect([...seenInPane(undefined, '%1')]).toEqual([]);
  });

  it('is younger than its server, and older than another one that has its number by now', () => {
    const at = (startTicks: number) => ({ startTicks });
    expect(isOfAge(at(9), at(10), undefined)).toBe(false);
    expect(isOfAge(at(10), at(10), undefined)).toBe(true);
    expect(isOfAge(at(50), at(10), at(10))).toBe(true);
    expect(isOfAge(at(30), at(10), at(40))).toBe(true);
    expect(isOfAge(at(40), at(10), at(40))).toBe(false);
  });

  it('is named without what it has started', () => {
    const all = [
      { pid: 5, ppid: 1 },
      { pid: 6, ppid: 5 },
      { pid: 7, ppid: 6 },
      { pid: 8, ppid: 2 },
    ];
    expect(topmost(all).map(({ pid }) => pid)).toEqual([5, 8]);
  });
});
