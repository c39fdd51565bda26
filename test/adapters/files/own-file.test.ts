import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isRefusal,
  OwnFileRefused,
  openOwnFile,
  openPlain,
  readAt,
  readOwnFile,
  readOwnText,
  withOwnFile,
} from '../../../src/adapters/files/own-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'own-'));
  path = join(folder, 'note');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const errorOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it was not refused');
};

describe('an own file', () => {
  it('is read whole, up to its bound and no byte over it', () => {
    writeFileSync(path, '12345');
    expect(readOwnText(path, 5)).toBe('12345');
    expect(() => readOwnText(path, 4)).toThrow(`${path}: it has 5 bytes, more than 4`);
  });

  it('is null where there is none, and only there', () => {
    expect(readOwnText(path, 5)).toBeNull();
    writeFileSync(path, '');
    expect(readOwnText(path, 5)).toBe('');
    expect(() => withOwnFile(path, {}, () => readOwnFile(join(path, 'x'), { maxBytes: 1 }))).toThrow(
      'ENOTDIR',
    );
  });

  it('S55: is no link, no folder and no pipe, and none of these is waited for', async () => {
    writeFileSync(join(folder, 'other'), 'x');
    symlinkSync('other', path);
    expect(isRefusal(errorOf(() => readOwnText(path, 5)))).toBe(true);
    rmSync(path);
    mkdirSync(path);
    expect(() => readOwnText(path, 5)).toThrow(`${path}: it is not a regular file`);
    rmSync(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    expect(() => readOwnText(path, 5)).toThrow('it is not a regular file');
    rmSync(path);
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    expect(isRefusal(errorOf(() => readOwnText(path, 5)))).toBe(true);
    server.close();
  });

  it('S55: belongs to whom it should', () => {
    writeFileSync(path, 'x');
    const own = process.getuid?.() ?? 0;
    expect(readOwnFile(path, { uid: own, maxBytes: 5 })).not.toBeNull();
    expect(readOwnFile(path, { uid: null, maxBytes: 5 })).not.toBeNull();
    const error = errorOf(() => readOwnFile(path, { uid: own + 1, maxBytes: 5 }));
    expect(error).toBeInstanceOf(OwnFileRefused);
    expect(error).toMatchObject({
      text: `it belongs to user ${own}`,
      message: `${path}: it belongs to user ${own}`,
    });
  });

  it('is refused in the words of who asks', () => {
    writeFileSync(path, '12345');
    const refuse = (at: string, text: string, fault: string) => new Error(`${fault} of ${at}: ${text}`);
    expect(() => readOwnFile(path, { maxBytes: 1, refuse })).toThrow(`size of ${path}: it has 5 bytes`);
  });

  it('a failure of the system is no refusal', () => {
    writeFileSync(path, 'x');
    expect(isRefusal(errorOf(() => openOwnFile(join(path, 'below'), 0)))).toBe(false);
  });

  it('leaves no descriptor open, whatever comes of it', () => {
    writeFileSync(path, '12345');
    const free = openPlain(path);
    closeSync(free);
    for (const maxBytes of [5, 1]) {
      try {
        readOwnText(path, maxBytes);
      } catch {
        // Refused.
      }
      const next = openPlain(path);
      closeSync(next);
      expect(next).toBe(free);
    }
  });

  it('gives a part of itself, and less where it ends before', () => {
    writeFileSync(path, '12345');
    const parts = withOwnFile(path, {}, ({ file }) => [
      readAt(file, 2, 1),
      readAt(file, 9, 3),
      readAt(file, 1, 9),
    ]);
    expect(parts?.map(String)).toEqual(['23', '45', '']);
  });
});
