import {
  chmodSync,
  linkSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileCache, markAt } from '../../../src/adapters/files/file-mark.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'mark-'));
  path = join(folder, 'note');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the mark of a file', () => {
  it('is null where there is none, and the same as long as nothing happens', () => {
    expect(markAt(path)).toBeNull();
    writeFileSync(path, 'x');
    expect(markAt(path)).toBe(markAt(path));
  });

  it.each([
    ['longer', () => writeFileSync(path, 'longer')],
    ['written to', () => utimesSync(path, 0, 0)],
    ['given other rights', () => chmodSync(path, 0o640)],
    [
      'replaced by one of the same time and size',
      () => {
        writeFileSync(`${path}.new`, 'y');
        utimesSync(`${path}.new`, 1000, 1000);
        renameSync(`${path}.new`, path);
      },
    ],
  ])('is another one once it is %s', (_, change) => {
    writeFileSync(path, 'x');
    utimesSync(path, 1000, 1000);
    const before = markAt(path);
    change();
    expect(markAt(path)).not.toBe(before);
  });
});

describe('what was made of a file', () => {
  const counting = (maxKept: number) => {
    const read: string[] = [];
    const cache = createFileCache(maxKept, (at) => {
      read.push(at);
      return read.length;
    });
    return { cache, read };
  };

  it('is kept until the file changes, also behind a link', () => {
    writeFileSync(path, 'x');
    const link = join(folder, 'link');
    symlinkSync('note', link);
    const { cache } = counting(9);
    expect([cache(link), cache(link)]).toEqual([1, 1]);
    writeFileSync(path, 'longer');
    expect([cache(link), cache(link)]).toEqual([2, 2]);
  });

  it('is null without a file, and made anew when it comes back', () => {
    const { cache } = counting(9);
    expect(cache(path)).toBeNull();
    writeFileSync(path, 'x');
    linkSync(path, `${path}.kept`);
    expect(cache(path)).toBe(1);
    rmSync(path);
    expect(cache(path)).toBeNull();
    renameSync(`${path}.kept`, path);
    expect(cache(path)).toBe(2);
    expect(cache(join(path, 'below'))).toBeNull();
  });

  it('is not kept of more files than it should be: the oldest goes', () => {
    const paths = ['a', 'b', 'c'].map((name) => join(folder, name));
    for (const each of paths) writeFileSync(each, '');
    const { cache, read } = counting(2);
    for (const each of paths) cache(each);
    cache(paths[2] as string);
    cache(paths[1] as string);
    expect(read).toEqual(paths);
    cache(paths[0] as string);
    expect(read).toHaveLength(4);
  });
});
