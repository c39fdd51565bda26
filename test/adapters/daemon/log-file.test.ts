import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogFile, endOfLog } from '../../../src/adapters/daemon/log-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'log-'));
  path = join(folder, 'daemon.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('writes one JSON line for each event, for its owner only', () => {
  const log = createLogFile({ path, now: () => 0 });
  log.note('started', { pid: 5, isFirst: true, text: 'x' });
  log.warn('round-failed');
  expect(
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { at: '1970-01-01T00:00:00.000Z', level: 'info', event: 'started', pid: 5, isFirst: true, text: 'x' },
    { at: '1970-01-01T00:00:00.000Z', level: 'warning', event: 'round-failed' },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('stays within its bounds: one file, and the one before it', () => {
  const log = createLogFile({ path, now: () => 0, maxBytes: 2000 });
  for (let index = 0; index < 200; index += 1) log.note('change', { index, text: 'y'.repeat(5000) });
  const sizes = [path, `${path}.1`].map((one) => (existsSync(one) ? statSync(one).size : 0));
  expect(Math.max(...sizes)).toBeLessThan(4000);
  expect(sizes[1]).toBeGreaterThan(0);
  expect(existsSync(`${path}.2`)).toBe(false);
});

test('S54, S55: no raw control character, and no write through a link', () => {
  const log = createLogFile({ path, now: () => 0 });
  log.note('x', { text: 'a\u001b]0;evil\u0007' });
  expect(readFileSync(path, 'utf8')).not.toMatch(/\\u001b|\u001b/);
  rmSync(path);
  writeFileSync(join(folder, 'other'), '');
  symlinkSync(join(folder, 'other'), path);
  log.note('x');
  expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('');
});

test('S36: a log that cannot be written stops nobody', () => {
  const log = createLogFile({ path: join(folder, 'missing', 'daemon.log'), now: () => 0 });
  expect(() => log.warn('x')).not.toThrow();
});

test('shows its end, and nothing where there is none', () => {
  const log = createLogFile({ path, now: () => 0 });
  expect(endOfLog(path, 3)).toEqual([]);
  for (const event of ['a', 'b', 'c']) log.note(event);
  expect(endOfLog(path, 2).map((line) => JSON.parse(line).event)).toEqual(['b', 'c']);
  writeFileSync(path, '');
  chmodSync(path, 0o600);
  expect(endOfLog(path, 2)).toEqual([]);
});
