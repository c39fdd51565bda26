import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMountTable } from '../../../src/adapters/folders/mount-table.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'mounts-'));
  mkdirSync(join(folder, 'far'));
  mkdirSync(join(folder, 'near'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const tableWith = (...lines: readonly string[]) => {
  const path = join(folder, 'mountinfo');
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return createMountTable(path);
};
const LOCAL = '1 0 0:1 / / rw - ext4 /dev/vda rw';
const far = () => `2 1 0:2 / ${join(folder, 'far')} rw - fuse.sshfs host: rw`;

test('on a machine with disks of its own nothing may stop to answer', () => {
  const table = tableWith(LOCAL);
  expect(table.mayStop()).toBe(false);
  expect(table.leadsThere(join(folder, 'far'))).toBe(false);
});

test('where there is no table everything may', () => {
  const table = createMountTable(join(folder, 'none'));
  expect(table.mayStop()).toBe(true);
  expect(table.leadsThere('/anything')).toBe(true);
});

test('what lies below a mount leads there, also through links', () => {
  symlinkSync('../far', join(folder, 'near', 'relative'));
  symlinkSync(join(folder, 'far', 'deep'), join(folder, 'absolute'));
  const table = tableWith(LOCAL, far());
  const leads = (...names: string[]) => table.leadsThere(join(folder, ...names));
  expect(table.mayStop()).toBe(true);
  expect(leads('far')).toBe(true);
  expect(leads('far', 'x', 'sock')).toBe(true);
  expect(leads('near', 'relative', 'sock')).toBe(true);
  expect(leads('absolute')).toBe(true);
  expect(leads('near', 'sock')).toBe(false);
  expect(leads('farther')).toBe(false);
});

test('links that go round in a circle lead nowhere', () => {
  symlinkSync('circle', join(folder, 'circle'));
  expect(tableWith(LOCAL, far()).leadsThere(join(folder, 'circle', 'x'))).toBe(false);
});
