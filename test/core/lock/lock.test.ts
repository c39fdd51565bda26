import { describe, expect, it } from 'vitest';
import { type LockHolder, parseHolder, toHolderLine } from '../../../src/core/lock/holder.ts';
import { holderLife, markLife } from '../../../src/core/lock/life.ts';
import {
  type HoldingProcess,
  isStale,
  type LockSighting,
  leftBehind,
} from '../../../src/core/lock/sighting.ts';
import { isLockName, lockFileName, subjectIdentity, WRITER } from '../../../src/core/lock/subject.ts';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';

const holder: LockHolder = {
  ...{ pid: 10, startTicks: 500, bootId: 'boot', since: 1, task: 'T-1', argv: ['make', 'all'] },
  ...{ name: 'runner', project: '/p', runner: { pid: 11, startTicks: 501 } },
};

const entry = (pid: number, startTicks: number, state = 'S') =>
  [pid, { pid, startTicks, state } as Process] as const;
const tableOf = (isComplete: boolean, ...entries: (readonly [number, Process])[]): ProcessTable => ({
  observedAt: 0,
  byPid: new Map(entries),
  isComplete,
});

describe('what a holder writes about itself', () => {
  it('reads back what it wrote', () => {
    expect(parseHolder(toHolderLine(holder))).toEqual(holder);
    const bare = { ...holder, task: null, project: null, runner: null };
    expect(parseHolder(toHolderLine(bare))).toEqual(bare);
    expect(parseHolder(toHolderLine({ ...holder, root: '/r' }))).toEqual({ ...holder, root: '/r' });
  });

  it('reads only the first line: the rest is what a longer one left behind', () => {
    expect(parseHolder(`${toHolderLine(holder)}:"old"}\n`)).toEqual(holder);
  });

  it('S52: takes half a line, other JSON and plain text for nothing', () => {
    const line = toHolderLine(holder);
    const wrong = [
      ...['', line.slice(0, -1), line.slice(0, 20), 'text\n', 'null\n', '7\n', '[]\n', '{}\n'],
      ...Object.entries({
        pid: [0, -1, 1.5, '10', null],
        startTicks: ['500', null],
        bootId: [null],
        pidNamespace: [1, null],
        root: [1, null],
        since: ['now'],
        task: [1],
        argv: ['make', [1]],
        name: [null],
        project: [1],
        runner: [undefined, 5, { pid: 1 }],
      }).flatMap(([field, values]) =>
        values.map((value) => `${JSON.stringify({ ...holder, [field]: value })}\n`),
      ),
    ];
    for (const text of wrong) expect(parseHolder(text), text).toBeNull();
  });

  it('cuts what would make the line too long to be read', () => {
    const long = { ...holder, task: 'x'.repeat(10_000), argv: Array(500).fill('y'.repeat(10_000)) };
    const line = toHolderLine(long);
    expect(line.length).toBeLessThan(10_000);
    expect(parseHolder(line)?.task).toMatch(/^x+…$/);
    expect(parseHolder(line)?.argv[0]).toMatch(/^y+…$/);
  });
});

describe('whether a holder lives', () => {
  it('lives while its process or its runner does', () => {
    expect(holderLife(holder, { bootId: 'boot', table: tableOf(true, entry(10, 500)) })).toBe('alive');
    expect(holderLife(holder, { bootId: 'boot', table: tableOf(true, entry(11, 501)) })).toBe('alive');
    expect(
      holderLife({ ...holder, runner: null }, { bootId: 'boot', table: tableOf(true, entry(11, 501)) }),
    ).toBe('gone');
  });

  it('S52: is gone after a reboot and on another host, whatever has its pid there', () => {
    expect(holderLife(holder, { bootId: 'other', table: tableOf(true, entry(10, 500)) })).toBe('gone');
  });

  it('S34: is unknown in a container that shares the folder, whatever has its pid there', () => {
    const inside = { ...holder, pidNamespace: '2' };
    expect(parseHolder(toHolderLine(inside))).toEqual(inside);
    for (const table of [tableOf(true), tableOf(true, entry(10, 500))]) {
      expect(holderLife(inside, { bootId: 'boot', pidNamespace: '1', table })).toBe('unknown');
      expect(holderLife(holder, { bootId: 'boot', pidNamespace: '1', table })).toBe('unknown');
    }
  });

  it('S6: is gone when its pid belongs to a later process, or only a zombie is left', () => {
    expect(markLife(holder, tableOf(true, entry(10, 999)))).toBe('gone');
    expect(markLife(holder, tableOf(true, entry(10, 500, 'Z')))).toBe('gone');
  });

  it('is unknown where processes are hidden, never gone', () => {
    expect(markLife(holder, tableOf(true))).toBe('gone');
    expect(markLife(holder, tableOf(false))).toBe('unknown');
    expect(holderLife(holder, { bootId: 'boot', table: tableOf(false, entry(10, 999)) })).toBe('unknown');
  });
});

describe('what was seen of a lock', () => {
  const sighting = (state: 'held' | 'free', ...parts: HoldingProcess['part'][]): LockSighting => ({
    ...{ name: 'runner', project: '/p', file: '/l', state, holder, holderLife: 'gone' },
    heldBy: parts.map((part, pid) => ({ pid, startedAt: 0, program: 'p', argv: [], part })),
  });

  it('calls information stale only where the lock is free', () => {
    expect(isStale(sighting('free'))).toBe(true);
    expect(isStale(sighting('held'))).toBe(false);
    expect(isStale({ ...sighting('free'), holder: null })).toBe(false);
  });

  it('names who keeps a lock without the runner', () => {
    expect(leftBehind(sighting('held', 'descendant', 'self'))).toHaveLength(2);
    expect(leftBehind(sighting('held', 'runner', 'descendant'))).toEqual([]);
    expect(leftBehind(sighting('held', 'descendant', 'taker'))).toEqual([]);
    expect(leftBehind({ ...sighting('held'), heldBy: null })).toEqual([]);
  });
});

describe('the name of a lock', () => {
  it('is a short plain word', () => {
    for (const name of ['runner', 'a', 'Tests-2.x_y', 'x'.repeat(48)])
      expect(isLockName(name), name).toBe(true);
    for (const name of ['', '.', '../x', '-x', 'a b', 'a/b', 'ü', 'a\n', 'x'.repeat(49)]) {
      expect(isLockName(name), name).toBe(false);
    }
  });

  it('S55: makes a harmless file name of any root', () => {
    expect(lockFileName({ name: 'runner', project: '/home/a/My Shop\n$(x)' }, 'abc')).toBe(
      'My-Shop-x-.runner.abc.lock',
    );
    expect(lockFileName({ name: 'runner', project: '/' }, 'abc')).toBe('root.runner.abc.lock');
    expect(lockFileName({ name: 'runner', project: `/${'é'.repeat(300)}` }, 'abc')).toBe('-.runner.abc.lock');
    expect(lockFileName(WRITER, 'abc')).toBe('host.writer.lock');
  });

  it('tells apart what only looks alike', () => {
    const identities = [
      ...[
        { name: 'a', project: '/b' },
        { name: 'a', project: null },
        { name: 'a-', project: 'b' },
      ],
      { name: 'a', project: '-b' },
    ].map(subjectIdentity);
    expect(new Set(identities).size).toBe(4);
  });
});
