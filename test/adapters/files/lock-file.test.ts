import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLockFile, takeTurn, tryLockByte, underLock } from '../../../src/adapters/files/lock-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const held = (file: number | null): number => {
  if (file === null) throw new Error('the lock was not got');
  return file;
};

describe('a lock on a file', () => {
  it('has one holder until it is closed, and the file stays', () => {
    const first = held(takeLockFile(path));
    expect(takeLockFile(path)).toBeNull();
    closeSync(first);
    closeSync(held(takeLockFile(path)));
    expect(existsSync(path)).toBe(true);
  });

  it('is one lock, whether it is asked for on one byte or on the whole file', () => {
    const byte = held(takeLockFile(path, { byte: 0 }));
    expect(takeLockFile(path)).toBeNull();
    closeSync(byte);
    const whole = held(takeLockFile(path));
    expect(takeLockFile(path, { byte: 0 })).toBeNull();
    closeSync(whole);
  });

  it('on one byte leaves the others to those who look', () => {
    const file = held(takeLockFile(path, { byte: 0 }));
    const other = held(takeLockFile(path, { byte: 7 }));
    expect(tryLockByte(other, 0)).toBe(false);
    closeSync(other);
    closeSync(file);
  });

  it('S55: is never taken through a link, or on what is no file', () => {
    writeFileSync(join(folder, 'other'), '');
    symlinkSync('other', path);
    expect(() => takeLockFile(path)).toThrow('ELOOP');
    rmSync(path);
    mkdirSync(path);
    expect(() => takeLockFile(path)).toThrow();
  });
});

describe('a turn', () => {
  it('takes its file away, and the next one begins anew', () => {
    const leave = takeTurn(path);
    expect(takeTurn(path)).toBeNull();
    leave?.();
    expect(existsSync(path)).toBe(false);
    takeTurn(path)?.();
  });
});

describe('work under a lock', () => {
  it('is done by one at a time, and frees the lock also where it fails', () => {
    expect(underLock(path, () => takeLockFile(path))).toBeNull();
    expect(() =>
      underLock(path, () => {
        throw new Error('failed');
      }),
    ).toThrow('failed');
    expect(underLock(path, () => 'done')).toBe('done');
  });

  it('is not done on a file that was tidied away meanwhile', () => {
    underLock(path, () => {
      unlinkSync(path);
      expect(underLock(path, () => 'another one')).toBe('another one');
    });
  });

  it('says so where another does not let go', () => {
    const file = held(takeLockFile(path));
    expect(() => underLock(path, () => 'done')).toThrow('another process holds it and does not let go');
    closeSync(file);
  });
});
