import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  makeFolderIfMissing,
  makeOwnFolder,
  objectionToEntry,
  objectionToFolder,
} from '../../../src/adapters/files/own-folder.ts';

let around: string;
let folder: string;
const own = process.getuid?.() ?? 0;
beforeEach(() => {
  around = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'folder-'));
  folder = join(around, 'own');
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const modeOf = () => lstatSync(folder).mode & 0o777;

describe('an own folder', () => {
  it('is made for its user alone, and once', () => {
    makeOwnFolder(folder);
    makeOwnFolder(folder);
    expect(modeOf()).toBe(0o700);
    expect(objectionToFolder(folder)).toBeNull();
  });

  it('S55: is no link, no file and no other user’s', () => {
    mkdirSync(join(around, 'real'), { mode: 0o700 });
    symlinkSync('real', folder);
    expect(objectionToFolder(folder)).toEqual({ text: 'it is a symbolic link', fault: 'link' });
    rmSync(folder);
    writeFileSync(folder, '');
    expect(objectionToFolder(folder)).toMatchObject({ fault: 'kind' });
    expect(() => makeOwnFolder(folder)).toThrow(`${folder}: it is not a folder`);
    rmSync(folder);
    makeFolderIfMissing(folder);
    expect(objectionToFolder(folder, { uid: own + 1 })).toEqual({
      text: `it belongs to user ${own}, not to ${own + 1}`,
      fault: 'owner',
    });
  });

  it('S55: that others can reach is refused, or closed to them where that is asked for', () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    expect(objectionToFolder(folder)).toEqual({ text: 'other users can reach it', fault: 'mode' });
    expect(modeOf()).toBe(0o755);
    expect(objectionToFolder(folder, { isTightened: true })).toBeNull();
    expect(modeOf()).toBe(0o700);
  });

  it('of another user is never closed: it is not ours to change', () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    expect(objectionToFolder(folder, { uid: own + 1, isTightened: true })).toMatchObject({ fault: 'owner' });
    expect(modeOf()).toBe(0o755);
  });

  it('may be open to readers where only writers matter', () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const entry = lstatSync(folder, { bigint: true });
    expect(objectionToEntry(entry, own, 0o022n)).toBeNull();
    expect(objectionToEntry(entry, own)).toMatchObject({ fault: 'mode' });
  });
});
