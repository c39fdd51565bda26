import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
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

const temporaries = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

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
      expect(temporaries().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['new']);
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
    const temporary = temporaryBeside(path);
    symlinkSync(other, temporary);
    expect(() => replaceFile(path, 'new', { temporary })).toThrow('EEXIST');
    expect(readFileSync(other, 'utf8')).toBe('theirs');
    expect(existsSync(path)).toBe(false);
  });

  it('S50: two writers at once keep neither each other nor their contents', () => {
    const [one, two] = ['one'.repeat(9000), 'two'.repeat(5000)];
    replaceFile(path, one, { before: () => replaceFile(path, two) });
    expect(readFileSync(path, 'utf8')).toBe(one);
    const objecting = () => {
      const before = () => {
        throw new Error('not now');
      };
      expect(() => replaceFile(path, one, { before })).toThrow('not now');
    };
    replaceFile(path, two, { before: objecting });
    expect(readFileSync(path, 'utf8')).toBe(two);
    expect(readdirSync(folder)).toEqual(['note']);
  });

  it('S50: what killed writers left goes after an hour, and nothing else', () => {
    // Above every pid_max, so that nobody has it.
    const nobody = 4_194_305;
    const leave = (name: string, ageMs: number) => {
      writeFileSync(join(folder, name), 'half');
      const at = new Date(Date.now() - ageMs);
      utimesSync(join(folder, name), at, at);
      return name;
    };
    const old = 2 * 3_600_000;
    leave('note.tmp', old);
    leave(`note.${nobody}.0123456789ab.tmp`, old);
    leave(`note.${process.pid}.0123456789ab.tmp`, old);
    const kept = [
      leave(`note.${nobody + 1}.0123456789ab.tmp`, old / 4),
      leave(`note.${process.ppid}.0123456789ab.tmp`, old),
      leave('note.mine.tmp', old),
      leave('notes.tmp', old),
    ];
    symlinkSync('nowhere', join(folder, `note.${nobody}.0000456789ab.tmp`));
    replaceFile(path, 'new');
    expect(readdirSync(folder).sort()).toEqual(['note', ...kept, `note.${nobody}.0000456789ab.tmp`].sort());
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
