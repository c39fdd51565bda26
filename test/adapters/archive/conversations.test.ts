import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConversationsOptions,
  createConversations,
} from '../../../src/adapters/archive/conversations/conversations-folder.ts';

let room: string;
let folder: string;
let path: string;

beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), 'copies-'));
  [folder, path] = [join(room, 'state'), join(room, 'home', 'p', 'c.jsonl')];
  mkdirSync(join(room, 'home', 'p'), { recursive: true });
  writeFileSync(path, 'said\n', { mode: 0o640 });
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

const opened = (over: Partial<ConversationsOptions> = {}) =>
  createConversations({
    folder,
    maxBytes: 2 ** 30,
    now: () => 5,
    isFolder: () => true,
    spareBytes: 0,
    ...over,
  });
const cluesOf = (conversation = 'c') => ({
  ...{ kind: 'claude', conversation, transcript: path, env: {}, cwd: null },
});
const keep = (name = 'r1-0', over: Partial<ConversationsOptions> = {}, files = [path]) =>
  opened(over).keep(name, cluesOf(), files);
const digest = (kept: Awaited<ReturnType<typeof keep>>) => (kept.state === 'kept' ? kept.digest : '');
const names = () => readdirSync(folder).sort();

describe('a copy', () => {
  it('is private, and what is kept under its name stays', async () => {
    const first = await keep();
    expect(first).toMatchObject({ state: 'kept', leaving: [] });
    const modes = ['', 'r1-0', 'r1-0/0.gz', 'r1-0/index.json'].map(
      (name) => lstatSync(join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
    writeFileSync(path, 'other\n');
    expect(digest(await keep())).toBe(digest(first));
    expect(opened().cluesOf('r1-0')).toEqual(cluesOf());
    expect(opened().list()).toMatchObject({ count: 1, removed: [] });
  });

  it('is not made of a file that is being written', async () => {
    writeFileSync(path, randomBytes(4 * 1024 * 1024));
    let isOver = false;
    const write = (): void => {
      if (isOver) return;
      appendFileSync(path, 'more\n');
      setImmediate(write);
    };
    write();
    const kept = await keep().finally(() => {
      isOver = true;
    });
    expect(kept).toMatchObject({ state: 'not-kept', text: expect.stringContaining('is being written') });
    expect(names()).toEqual([]);
  });

  it.each([
    ['too large', { maxBytes: 3 }, /it takes more than 3 bytes; raise archive\.keepConversations/],
    ['on a disk that is nearly full', { spareBytes: 2 ** 60 }, /nearly full; make room there/],
    ['unwanted', { maxBytes: 0 }, /archive\.keepConversations is 0/],
  ])('that is %s is not kept, and leaves nothing', async (_, over, text) => {
    expect(await keep('r1-0', over)).toEqual({ state: 'not-kept', text: expect.stringMatching(text) });
    expect(existsSync(folder) ? names() : []).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('said\n');
  });

  it('is not made through a link, of a folder, or under a name that leads elsewhere', async () => {
    const link = join(room, 'link');
    symlinkSync(path, link);
    const states = [await keep('r1-0', {}, [link]), await keep('r1-0', {}, [room]), await keep('../x')];
    expect(states.map(({ state }) => state)).toEqual(['not-kept', 'not-kept', 'not-kept']);
    expect(await keep('r1-0', {}, [`${path}.gone`])).toMatchObject({ state: 'not-kept' });
  });
});

describe('what is put back', () => {
  it('has its rights again, and the times of now', async () => {
    utimesSync(path, 1, 1);
    const kept = digest(await keep());
    rmSync(join(room, 'home'), { recursive: true });
    expect(await opened().putBack('r1-0', kept)).toEqual({ state: 'done', paths: [path] });
    const { mode, mtimeMs } = lstatSync(path);
    expect([mode & 0o777, mtimeMs > 1e6, readFileSync(path, 'utf8')]).toEqual([0o640, true, 'said\n']);
    expect(readdirSync(join(room, 'home', 'p'))).toEqual(['c.jsonl']);
  });

  it('replaces nothing, not even a link that leads nowhere', async () => {
    const kept = digest(await keep());
    rmSync(path);
    symlinkSync('/nowhere', path);
    expect(await opened().putBack('r1-0', kept)).toEqual({ state: 'done', paths: [] });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it('is nothing of a copy that was changed or damaged', async () => {
    const kept = digest(await keep());
    rmSync(path);
    // What a killed one left is in nobody's way.
    writeFileSync(join(room, 'home', 'p', '.c.jsonl.rollcall'), 'half');
    expect(await opened().putBack('r1-0', 'other')).toMatchObject({ state: 'changed' });
    const file = join(folder, 'r1-0', '0.gz');
    const bytes = readFileSync(file);
    writeFileSync(join(room, 'x'), 'evil\n');
    const other = digest(await keep('r2-0', {}, [join(room, 'x')]));
    writeFileSync(file, readFileSync(join(folder, 'r2-0', '0.gz')));
    const damaged = { state: 'changed', text: expect.stringContaining('is not as it was kept') };
    expect(await opened().putBack('r1-0', kept)).toMatchObject(damaged);
    writeFileSync(file, bytes.subarray(0, 12));
    expect(await opened().putBack('r1-0', kept)).toMatchObject(damaged);
    rmSync(file);
    expect(await opened().putBack('r1-0', kept)).toMatchObject(damaged);
    expect([other.length, readdirSync(join(room, 'home', 'p'))]).toEqual([64, []]);
  });

  it('is nothing where there is no copy', async () => {
    expect(await opened().putBack('r1-0', 'd')).toEqual({ state: 'absent', removedAt: null });
  });
});

describe('room', () => {
  it('is made by copies, each with a mark that outlives it', async () => {
    const kept = digest(await keep('r1-0', { now: () => 1 }));
    rmSync(path);
    const next = join(room, 'home', 'p', 'd.jsonl');
    writeFileSync(next, 'said\n');
    const made = await opened({ maxBytes: 700 }).keep('r2-0', { ...cluesOf('d'), transcript: next }, [next]);
    expect(made).toMatchObject({ state: 'kept', leaving: [{ copy: { name: 'r1-0' }, isOnly: true }] });
    expect(names()).toEqual(['.removed', 'r2-0']);
    expect(await opened().putBack('r1-0', kept)).toEqual({ state: 'absent', removedAt: 5 });
    expect(opened().list().removed).toMatchObject([{ name: 'r1-0', path, removedAt: 5 }]);
  });

  it('is made by a copy of the same receipt only where no other can go', async () => {
    const next = join(room, 'home', 'p', 'd.jsonl');
    writeFileSync(next, 'said\n');
    const two = async (maxBytes: number) => {
      rmSync(folder, { recursive: true, force: true });
      await keep('r2-0', { now: () => 1 });
      await keep('r1-0', { now: () => 2 }, [next]);
      rmSync(next);
      const made = await opened({ maxBytes }).keep('r2-1', cluesOf('d'), [path]);
      writeFileSync(next, 'said\n');
      return made.state === 'kept' ? made.leaving.map(({ copy }) => copy.name) : made;
    };
    expect(await two(1200)).toEqual(['r1-0']);
    expect(await two(700)).toEqual(['r1-0', 'r2-0']);
    expect(opened().cluesOf('r2-0')).toBeNull();
  });

  describe('of a copy that something else has too', () => {
    const leavingFirst = async (change: () => unknown) => {
      await keep('r1-0', { now: () => 1 });
      await change();
      const next = join(room, 'home', 'p', 'd.jsonl');
      writeFileSync(next, 'said\n');
      const made = await opened({ maxBytes: 700 }).keep('r3-0', cluesOf('d'), [next]);
      return made.state === 'kept' ? made.leaving.map(({ copy, isOnly }) => [copy.name, isOnly]) : made;
    };

    it('is the agent, while its file begins with every byte of it', async () => {
      expect(await leavingFirst(() => {})).toEqual([['r1-0', false]]);
    });

    it('is the agent, that has gone on since', async () => {
      expect(await leavingFirst(() => appendFileSync(path, 'more\n'))).toEqual([['r1-0', false]]);
    });

    it('is nobody where the file was cut, or overwritten', async () => {
      expect(await leavingFirst(() => truncateSync(path, 2))).toEqual([['r1-0', true]]);
      rmSync(folder, { recursive: true });
      expect(await leavingFirst(() => writeFileSync(path, '\0'.repeat(lstatSync(path).size)))).toEqual([
        ['r1-0', true],
      ]);
    });

    it('is a later copy that begins with it, and no other', async () => {
      const later = async () => {
        appendFileSync(path, 'more\n');
        await keep('r2-0', { now: () => 2 });
        rmSync(path);
      };
      expect(await leavingFirst(later)).toContainEqual(['r1-0', false]);
      for (const other of ['o', 'something else, and longer\n']) {
        rmSync(folder, { recursive: true });
        writeFileSync(path, 'once\n');
        const change = async () => {
          writeFileSync(path, other);
          await keep('r2-0', { now: () => 2 });
          rmSync(path);
        };
        expect(await leavingFirst(change)).toContainEqual(['r1-0', true]);
      }
    });
  });

  it('is not made again by what a killed one began to remove', async () => {
    await keep();
    mkdirSync(join(folder, '.removing-r0-0'));
    mkdirSync(join(folder, '.writing-1-x-r0-0'));
    utimesSync(join(folder, '.writing-1-x-r0-0'), 1, 1);
    await keep('r2-0');
    expect(names()).toEqual(['r1-0', 'r2-0']);
  });

  it('counts a copy as the only one where its folder gives no answer', async () => {
    await keep('r1-0', { now: () => 1 });
    const next = join(room, 'home', 'p', 'd.jsonl');
    writeFileSync(next, 'said\n');
    const made = await opened({ maxBytes: 700, isFolder: () => false }).keep('r2-0', cluesOf('d'), [next]);
    expect(made).toMatchObject({ leaving: [{ isOnly: true }] });
  });
});
