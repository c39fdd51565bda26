import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  sentinelObstacle,
  sentinelProblem,
  writeSentinel,
} from '../../../src/adapters/guard/sentinel-file.ts';
import { bundle } from '../../support/bundle.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../../support/private-mounts.ts';

const BIND = "require('node:net').createServer().listen(process.argv[1], () => process.exit())";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'sentinel-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

describe('the sentinel', () => {
  it('is there whole, readable by its owner only, with nothing left beside it', () => {
    const path = join(folder, 's.json');
    writeFileSync(path, 'old');
    expect(sentinelProblem(path)).toBeNull();
    expect(writeSentinel(path, '{"a":1}\n')).toEqual({ state: 'written' });
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['s.json']);
  });

  it('S55: takes the place of a link instead of writing through it', () => {
    const [path, target] = [join(folder, 's.json'), join(folder, 'victim')];
    writeFileSync(target, 'untouched');
    symlinkSync(target, path);
    expect(writeSentinel(path, 'new').state).toBe('written');
    expect(readFileSync(target, 'utf8')).toBe('untouched');
  });

  it.each([
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a socket', (path: string) => execFileSync(process.execPath, ['-e', BIND, path])],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a device', (path: string) => symlinkSync('/dev/null', path)],
  ])('endings 9: takes the place of no %s, itself or behind a link', (what, make) => {
    const [path, link] = [join(folder, 'there'), join(folder, 'link')];
    make(path);
    symlinkSync(path, link);
    for (const one of [path, link]) {
      const text = `${one} is ${what}, and only a file is replaced`;
      const before = lstatSync(one).mode;
      expect([sentinelObstacle(one), sentinelProblem(one)]).toEqual([text, text]);
      expect(writeSentinel(one, 'new')).toEqual({ state: 'failed', text });
      expect(lstatSync(one).mode).toBe(before);
    }
    expect(readdirSync(folder).sort()).toEqual(['link', 'there']);
  });

  it.each([
    ['no such folder', () => join(folder, 'none', 's.json'), /ENOENT/],
    ['a folder in its place', () => folder, /folder|EISDIR|EEXIST|ENOTEMPTY|rename/],
    ['a file in place of the folder', () => join(folder, 'file', 's.json'), /ENOTDIR|EACCES/],
  ])('says what is wrong: %s', (_, pathOf, message) => {
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'inner'));
    const path = pathOf();
    expect(sentinelProblem(path)).toMatch(message);
    expect(writeSentinel(path, 'x')).toMatchObject({ state: 'failed', text: expect.stringMatching(message) });
    expect(readdirSync(folder).sort()).toEqual(['file', 'inner']);
  });

  it.runIf(hasPrivateMounts)(
    'S36: a full or read-only disk keeps the old sentinel and leaves nothing behind',
    async () => {
      const module = join(folder, 'sentinel.mjs');
      await bundle({
        input: join(import.meta.dirname, '../../../src/adapters/guard/sentinel-file.ts'),
        ...{ file: module, format: 'esm' },
      });
      const disk = join(folder, 'disk');
      mkdirSync(disk);
      const script = `const { writeSentinel } = await import('${module}');
      const written = writeSentinel('${disk}/s.json', 'x'.repeat(9000));
      const { readdirSync, readFileSync } = await import('node:fs');
      console.log(JSON.stringify({ ...written, left: readdirSync('${disk}'), old: readFileSync('${disk}/s.json', 'utf8') }));`;
      const on = (preparation: string) => {
        const shell = `mount -t tmpfs -o size=8k none '${disk}'; printf old > '${disk}/s.json'; ${preparation}; exec "$0" "$@"`;
        const argv = ['sh', '-ec', shell, process.execPath, '--input-type=module', '-e', script];
        const [program = '', ...words] = [...PRIVATE_MOUNTS, ...argv];
        return JSON.parse(execFileSync(program, words, { encoding: 'utf8' }));
      };
      const kept = { state: 'failed', left: ['s.json'], old: 'old' };
      expect(on(':')).toEqual({ ...kept, text: expect.stringContaining('ENOSPC') });
      expect(on(`mount -o remount,ro '${disk}'`)).toEqual({
        ...kept,
        text: expect.stringContaining('EROFS'),
      });
    },
  );
});
