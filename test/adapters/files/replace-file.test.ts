import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendTo,
  removeQuietly,
  replaceFile,
  syncFolder,
  temporaryBeside,
  writeNewFile,
} from '../../../src/adapters/files/replace-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'replace-'));
  path = join(folder, 'note');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file that is replaced', () => {
  it.each(['nothing', 'file', 'name'] as const)('is whole and for its user alone (sync: %s)', (sync) => {
    writeFileSync(path, 'old', { mode: 0o644 });
    replaceFile(path, 'new', { sync });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['note']);
  });

  it('stays as it was where the last look objects, and nothing is left behind', () => {
    writeFileSync(path, 'old');
    const before = () => {
      expect(readFileSync(`${path}.tmp`, 'utf8')).toBe('new');
      throw new Error('not now');
    };
    expect(() => replaceFile(path, 'new', { before })).toThrow('not now');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['note']);
  });

  it('stays as it was where it cannot be renamed over', () => {
    mkdirSync(path);
    expect(() => replaceFile(path, 'new')).toThrow();
    expect(readdirSync(folder)).toEqual(['note']);
  });

  it('S55: is not written through what somebody left under the temporary name', () => {
    const other = join(folder, 'other');
    writeFileSync(other, 'theirs');
    symlinkSync(other, `${path}.tmp`);
    replaceFile(path, 'new');
    expect(readFileSync(other, 'utf8')).toBe('theirs');
    expect(lstatSync(path).isFile()).toBe(true);
    writeFileSync(`${path}.tmp`, 'half', { mode: 0o666 });
    replaceFile(path, 'newer');
    expect(readFileSync(path, 'utf8')).toBe('newer');
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it('is written under a name of its own where that is asked for', () => {
    const names = new Set([temporaryBeside(path), temporaryBeside(path)]);
    expect(names.size).toBe(2);
    const [temporary = ''] = names;
    replaceFile(path, 'new', { temporary, before: () => expect(existsSync(temporary)).toBe(true) });
    expect(readdirSync(folder)).toEqual(['note']);
  });
});

describe('a new file', () => {
  it('never takes the place of another', () => {
    writeFileSync(path, 'old');
    expect(() => writeNewFile(path, 'new')).toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it('is gone again where it cannot be written whole', () => {
    expect(() => writeNewFile(path, { not: 'a text' } as unknown as string)).toThrow();
    expect(existsSync(path)).toBe(false);
  });
});

it('what is added comes to the end, and through no link', () => {
  expect(appendTo(path, 'one')).toBe(3);
  expect(appendTo(path, 'two')).toBe(6);
  expect(readFileSync(path, 'utf8')).toBe('onetwo');
  symlinkSync(path, join(folder, 'link'));
  expect(() => appendTo(join(folder, 'link'), 'x')).toThrow('ELOOP');
});

it('removing says whether there was something', () => {
  writeFileSync(path, '');
  expect([removeQuietly(path), removeQuietly(path)]).toEqual([true, false]);
});

it('syncing a folder that is not there is told', () => {
  syncFolder(folder);
  expect(() => syncFolder(path)).toThrow('ENOENT');
});
