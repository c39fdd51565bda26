import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangedMeanwhile } from '../../../src/adapters/files/exchange.ts';
import { writeNew } from '../../../src/adapters/files/new-user-file.ts';
import { removeUserFile, replaceUserFile, takePlace } from '../../../src/adapters/files/replace-user-file.ts';
import { settle } from '../../../src/adapters/files/taken-file.ts';
import { type AbsentFile, readUserFile, type UserFile } from '../../../src/adapters/files/user-file.ts';
import { loadNative } from '../../../src/adapters/native/load-native.ts';
import { giveAttributes } from './give-attributes.ts';

/** What somebody else does directly before a call, the first ones first; and whether files can be swapped here. */
const scene = vi.hoisted(() => ({
  swap: [] as (() => void)[],
  link: [] as (() => void)[],
  rename: [] as (() => void)[],
  canSwap: true,
  /** Extended attributes cannot be read. */
  isBlind: false,
  /** Files cannot be given to another group. */
  isForeign: false,
}));

vi.mock('../../../src/adapters/native/swap-files.ts', async (original) => {
  const real = await original<typeof import('../../../src/adapters/native/swap-files.ts')>();
  return {
    swapFiles(one: string, other: string) {
      scene.swap.shift()?.();
      return scene.canSwap && real.swapFiles(one, other);
    },
  };
});
vi.mock('../../../src/adapters/native/file-attributes.ts', async (original) => {
  const real = await original<typeof import('../../../src/adapters/native/file-attributes.ts')>();
  return {
    ...real,
    readAttributes: (file: number) => (scene.isBlind ? null : real.readAttributes(file)),
  };
});
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const after =
    <A extends unknown[]>(moments: (() => void)[], work: (...values: A) => void) =>
    (...values: A) => {
      moments.shift()?.();
      work(...values);
    };
  return {
    ...real,
    fchownSync(...values: Parameters<typeof real.fchownSync>) {
      if (scene.isForeign) throw new Error('EPERM');
      real.fchownSync(...values);
    },
    linkSync: after(scene.link, real.linkSync),
    renameSync: after(scene.rename, real.renameSync),
  };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-replace-'));
  path = join(folder, 'settings.json');
  writeFileSync(path, 'old');
});
afterEach(() => {
  expect([scene.swap, scene.link, scene.rename].flat()).toEqual([]);
  Object.assign(scene, { canSwap: true, isBlind: false, isForeign: false });
  rmSync(folder, { recursive: true });
});

function read(): UserFile & AbsentFile {
  const file = readUserFile(path);
  if (file.state === 'wrong') throw new Error(file.problem.text);
  return file as UserFile & AbsentFile;
}

function changed(work: () => void): ChangedMeanwhile {
  try {
    work();
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return error;
    throw error;
  }
  throw new Error('nobody noticed');
}

const now = () => readFileSync(path, 'utf8');
const inPlace = (text: string) => () => writeFileSync(path, text);
const byRename = (text: string) => () => {
  writeFileSync(`${path}.theirs`, text);
  const { renameSync: rename } = process.getBuiltinModule('node:fs');
  rename(`${path}.theirs`, path);
};
const WAYS = [
  ['in place', inPlace],
  ['by a rename', byRename],
] as const;

describe.each([
  ['files can be swapped', true],
  ['files cannot be swapped', false],
])('where %s', (_where, canSwap) => {
  beforeEach(() => {
    scene.canSwap = canSwap;
  });

  it('a file is replaced with its mode, and nothing is left beside it', () => {
    chmodSync(path, 0o640);
    replaceUserFile(read(), 'new', 0o600);
    expect([now(), statSync(path).mode & 0o777]).toEqual(['new', 0o640]);
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  it.each(WAYS)('a change %s stays when it comes before the last comparison', (_way, write) => {
    const file = read();
    write('theirs')();
    expect(changed(() => replaceUserFile(file, 'new', 0o600)).keptAs).toEqual([]);
    expect([now(), readdirSync(folder)]).toEqual(['theirs', ['settings.json']]);
  });

  it.each(WAYS)('a change %s stays when it comes between the last comparison and the step', (_way, write) => {
    scene.swap.push(write('theirs'));
    expect(changed(() => replaceUserFile(read(), 'new', 0o600)).keptAs).toEqual([]);
    expect([now(), readdirSync(folder)]).toEqual(['theirs', ['settings.json']]);
  });

  it('a change of its mode stays too', () => {
    scene.swap.push(() => chmodSync(path, 0o400));
    changed(() => replaceUserFile(read(), 'new', 0o600));
    expect([now(), statSync(path).mode & 0o777]).toEqual(['old', 0o400]);
  });

  it('a link that takes its place stays, and so does what it leads to', () => {
    const moved = join(folder, 'moved');
    scene.swap.push(() => {
      process.getBuiltinModule('node:fs').renameSync(path, moved);
      symlinkSync('moved', path);
    });
    changed(() => replaceUserFile(read(), 'new', 0o600));
    expect([readlinkSync(path), readFileSync(moved, 'utf8')]).toEqual(['moved', 'old']);
  });

  it('a file that somebody has open for writing is left alone, and they are named', () => {
    const open = openSync(path, 'a');
    const { message } = changed(() => replaceUserFile(read(), 'new', 0o600));
    closeSync(open);
    expect(message).toBe(`process ${process.pid} has it open for writing`);
    expect([now(), readdirSync(folder)]).toEqual(['old', ['settings.json']]);
    const reading = openSync(path, 'r');
    replaceUserFile(read(), 'new', 0o600);
    closeSync(reading);
    expect(now()).toBe('new');
  });

  it('a file that somebody opens at the last moment, and writes to later, is put back', () => {
    let open = -1;
    scene.swap.push(() => {
      open = openSync(path, 'a');
    });
    changed(() => replaceUserFile(read(), 'new', 0o600));
    writeSync(open, ' and more');
    closeSync(open);
    expect([now(), readdirSync(folder)]).toEqual(['old and more', ['settings.json']]);
  });

  it('what is written to the old file later is put back when it is looked at again', () => {
    const open = openSync(path, 'a');
    const taken = takePlace(read(), 'new', 0o600, { folder: null, findWriter: () => null });
    if (taken === null) throw new Error('nothing was taken out');
    expect(now()).toBe('new');
    writeSync(open, ' and more');
    closeSync(open);
    changed(() => settle(taken, () => {}));
    expect([now(), readdirSync(folder)]).toEqual(['old and more', ['settings.json']]);
  });

  it('what goes away at the last moment is not made again', () => {
    scene.swap.push(() => unlinkSync(path));
    expect(changed(() => replaceUserFile(read(), 'new', 0o600)).keptAs).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('of two changes one after the other both are there: one in its place, the other named', () => {
  scene.swap.push(byRename('first'), byRename('second'));
  const { keptAs, message } = changed(() => replaceUserFile(read(), 'new', 0o600));
  expect(message).toContain(String(keptAs));
  expect([now(), readFileSync(String(keptAs), 'utf8')]).toEqual(['second', 'first']);
  expect(readdirSync(folder)).toHaveLength(2);
});

it('a change whose place is gone when it is put back is named', () => {
  scene.swap.push(inPlace('theirs'), () => unlinkSync(path));
  const { keptAs } = changed(() => replaceUserFile(read(), 'new', 0o600));
  expect(readFileSync(String(keptAs), 'utf8')).toBe('theirs');
  expect(keptAs[0]).toContain('settings.json.rollcall-kept-');
});

describe('a new file', () => {
  beforeEach(() => unlinkSync(path));

  it('is made with its folders', () => {
    path = join(folder, 'a/b/c.json');
    replaceUserFile(read(), 'new', 0o640);
    expect([now(), statSync(path).mode & 0o777]).toEqual(['new', 0o640]);
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['c.json']);
  });

  it('does not take the place of one that somebody has just made', () => {
    const file = read();
    scene.link.push(inPlace('theirs'));
    changed(() => replaceUserFile(file, 'new', 0o600));
    expect([now(), readdirSync(folder)]).toEqual(['theirs', ['settings.json']]);
    changed(() => replaceUserFile(file, 'new', 0o600));
    expect(now()).toBe('theirs');
  });
});

describe('a removal', () => {
  it('removes what was read', () => {
    removeUserFile(read());
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes a link, and nothing behind it', () => {
    renameSync(path, join(folder, 'target'));
    symlinkSync('target', path);
    removeUserFile(read());
    expect(readdirSync(folder)).toEqual(['target']);
  });

  it.each(WAYS)('leaves what somebody has just written %s', (_way, write) => {
    const file = read();
    scene.rename.push(write('theirs'));
    expect(changed(() => removeUserFile(file)).keptAs).toEqual([]);
    expect([now(), readdirSync(folder)]).toEqual(['theirs', ['settings.json']]);
    changed(() => removeUserFile(file));
    expect(now()).toBe('theirs');
  });

  it('names what could not be put back because somebody wrote once more', () => {
    scene.rename.push(inPlace('first'));
    scene.link.push(inPlace('second'));
    const { keptAs } = changed(() => removeUserFile(read()));
    expect([now(), readFileSync(String(keptAs), 'utf8')]).toEqual(['second', 'first']);
  });
});

describe('who may read it', () => {
  const there = (): UserFile => {
    const file = readUserFile(path);
    if (file.state !== 'read') throw new Error('it is not there');
    return file;
  };

  it('is the same as before: an access list and attributes are kept', (context) => {
    if (!giveAttributes(path)) return context.skip('this file system has no access lists');
    const before = there();
    expect([...(before.attributes?.keys() ?? [])].sort()).toEqual(['system.posix_acl_access', 'user.note']);
    replaceUserFile(before, 'new', 0o600);
    const { text, mode, attributes } = there();
    expect([text, mode, attributes]).toEqual(['new', before.mode, before.attributes]);
  });

  it('is nobody whom only the folder lets in', (context) => {
    if (!giveAttributes(path)) return context.skip('this file system has no access lists');
    const list = there().attributes?.get('system.posix_acl_access') ?? Buffer.alloc(0);
    unlinkSync(path);
    const opened = openSync(folder, 'r');
    loadNative().setAttrSync(opened, 'system.posix_acl_default', list);
    closeSync(opened);
    writeFileSync(path, 'old');
    const file = { ...there(), attributes: new Map() };
    const fresh = join(folder, 'fresh');
    writeNew(fresh, 'new', { ...file, mode: 0o640 });
    expect(readUserFile(fresh)).toMatchObject({ mode: 0o640, attributes: new Map() });
  });

  it('is the user alone where nobody can tell what the mode stands for', () => {
    chmodSync(path, 0o754);
    scene.isBlind = true;
    replaceUserFile(read(), 'new', 0o600);
    expect([now(), statSync(path).mode & 0o777]).toEqual(['new', 0o700]);
  });

  it('is decided before the file is replaced: one whose attributes cannot be kept is left alone', () => {
    const file = { ...there(), attributes: new Map([['nowhere.known', Buffer.from('x')]]) };
    expect(() => takePlace(file, 'new', 0o600, { folder: null, findWriter: () => null })).toThrow(
      'cannot be kept: nowhere.known',
    );
    expect([now(), readdirSync(folder)]).toEqual(['old', ['settings.json']]);
  });

  it('is not another group, where the group cannot be kept', () => {
    const fresh = join(folder, 'fresh');
    scene.isForeign = true;
    writeNew(fresh, 'new', { mode: 0o664, uid: statSync(path).uid, gid: statSync(path).gid + 1 });
    expect(statSync(fresh).mode & 0o777).toBe(0o604);
  });
});
