import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findProjectRoot } from '../../src/adapters/lock/lock-desk.ts';
import { createWriterLock } from '../../src/adapters/lock/writer-lock.ts';
import { DAEMON, type LockSubject, WRITER } from '../../src/core/lock/subject.ts';
import type { Hold, LockOutcome, Locks } from '../../src/ports/lock.ts';
import { locksIn } from '../adapters/lock/locks-in.ts';

const CLAIM = { task: 'the first', argv: ['./run.sh'] };

let root: string;
let folder: string;
let project: string;
let first: Locks;
let second: Locks;
let holds: Hold[];
let runner: ChildProcess | undefined;

beforeEach(() => {
  root = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'lock-deleted-'));
  folder = join(root, 'state', 'rollcall', 'locks');
  project = join(root, 'project');
  for (const path of [dirname(folder), project]) mkdirSync(path, { recursive: true, mode: 0o700 });
  [first, second] = [locksIn(folder), locksIn(folder)];
  holds = [];
});
afterEach(async () => {
  for (const hold of holds) hold.release();
  if (runner !== undefined) {
    runner.kill('SIGKILL');
    await once(runner, 'close');
    runner = undefined;
  }
  rmSync(root, { recursive: true, force: true });
});

const at = (path: string): LockSubject => {
  const found = findProjectRoot(path);
  if (found.state === 'missing') throw new Error(found.text);
  return { name: 'runner', project: found.path };
};

function take(locks: Locks, subject: LockSubject): Hold {
  const taken = locks.tryLock(subject, CLAIM);
  if (taken.state !== 'held') throw new Error(JSON.stringify(taken));
  holds.push(taken.hold);
  return taken.hold;
}

/** What a second one is told. */
function refusal(subject: LockSubject): unknown {
  const taken: LockOutcome = second.tryLock(subject, { task: 'the second', argv: [] });
  if (taken.state === 'held') taken.hold.release();
  return taken.state === 'busy' ? { task: taken.by.holder?.task, life: taken.by.holderLife } : taken.state;
}

const HELD = { task: 'the first', life: 'alive' };
const states = (path?: string) => {
  const seen = second.sightings(path);
  if (seen.state === 'failed') throw new Error(seen.text);
  return seen.locks.map(({ state, name, holder }) => `${state} ${name} ${holder?.pid === process.pid}`);
};

describe('a runner keeps its project for itself', () => {
  test.each<[string, (file: string) => void]>([
    ['its lock file is removed', (file) => unlinkSync(file)],
    [
      'its lock file is replaced',
      (file) => {
        unlinkSync(file);
        writeFileSync(file, '', { mode: 0o600 });
      },
    ],
    ['its lock file is renamed', (file) => renameSync(file, `${file}.old`)],
    ['its lock file is moved under any name', (file) => renameSync(file, join(root, 'notes.txt'))],
    ['the folder of the locks is removed', () => rmSync(folder, { recursive: true })],
    ['the folder of the locks is moved away', () => renameSync(folder, join(root, 'elsewhere'))],
  ])('although %s, and both are told who it is', (_, attack) => {
    const hold = take(first, at(project));
    attack(hold.file);
    expect(refusal(at(project))).toEqual(HELD);
    expect(states(at(project).project ?? '')).toEqual(['held runner true']);
    // Others are not affected.
    mkdirSync(join(root, 'other'));
    expect(refusal(at(join(root, 'other')))).toBe('held');
    hold.release();
    expect(refusal(at(project))).toBe('held');
  });

  test('although it is moved, or a link to it stands in its place', () => {
    take(first, at(project));
    const moved = join(root, 'moved');
    renameSync(project, moved);
    expect(refusal(at(moved))).toEqual(HELD);
    expect(states(at(moved).project ?? '')).toEqual(['held runner true']);
    symlinkSync(moved, project);
    expect(refusal(at(project))).toEqual(HELD);
    expect(states()).toEqual(['held runner true']);
  });

  test('although another folder stands in its place; a link to another project is that project', () => {
    take(first, at(project));
    renameSync(project, join(root, 'moved'));
    mkdirSync(project);
    expect(refusal(at(project))).toEqual(HELD);
    expect(refusal(at(join(root, 'moved')))).toEqual(HELD);
    rmSync(project, { recursive: true });
    mkdirSync(join(root, 'other'));
    symlinkSync(join(root, 'other'), project);
    expect(refusal(at(project))).toBe('held');
  });

  test('for as long as its program lives, also without rollcall', async () => {
    const hold = take(first, at(project));
    runner = spawn('sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', hold.descriptor] });
    hold.release();
    unlinkSync(hold.file);
    const taken = second.tryLock(at(project), CLAIM);
    expect(taken).toMatchObject({ state: 'busy', by: { heldBy: [{ pid: runner.pid }] } });
    runner.kill('SIGKILL');
    await once(runner, 'close');
    runner = undefined;
    expect(refusal(at(project))).toBe('held');
  });
});

describe('one writer and one daemon', () => {
  test.each([WRITER, DAEMON])('although the file of the lock is renamed: $name', (subject) => {
    const { file, release } = take(first, subject);
    renameSync(file, `${file}.old`);
    expect(refusal(subject)).toEqual(HELD);
    expect(states()).toEqual([`held ${subject.name} true`]);
    // Without its note the kernel still tells which process it is.
    truncateSync(`${file}.old`);
    expect(second.tryLock(subject, CLAIM)).toMatchObject({
      state: 'busy',
      by: { ...subject, holder: null, heldBy: [{ pid: process.pid }] },
    });
    expect(states()).toEqual([`held ${subject.name} false`]);
    release();
    expect(refusal(subject)).toBe('held');
  });

  test.each([WRITER, DAEMON])('although the file of the lock is removed: $name', (subject) => {
    const { file, release } = take(first, subject);
    unlinkSync(file);
    expect(refusal(subject)).toEqual(HELD);
    expect(states()).toEqual([`held ${subject.name} true`]);
    rmSync(folder, { recursive: true });
    expect(refusal(subject)).toEqual(HELD);
    release();
    expect(refusal(subject)).toBe('held');
  });

  test('who waits for the writer gets its turn, whatever became of the file', async () => {
    const order: string[] = [];
    const done = createWriterLock(first).hold(CLAIM, 5000, async () => {
      unlinkSync(join(folder, 'host.writer.lock'));
      const next = createWriterLock(second).hold(CLAIM, 5000, async () => order.push('second'));
      await new Promise((resolve) => setImmediate(resolve));
      order.push('first');
      return { next };
    });
    const ended = await done;
    if (ended.state !== 'done') throw new Error(ended.state);
    expect((await ended.value.next).state).toBe('done');
    expect(order).toEqual(['first', 'second']);
  });
});
