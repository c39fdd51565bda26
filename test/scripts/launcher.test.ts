import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'launcher-'));
  cpSync(resolve('dist/rollcall.cjs'), join(folder, 'rollcall.cjs'));
  cpSync(resolve('dist/command'), join(folder, 'command'), {
    recursive: true,
    filter: (path) => !path.endsWith('.cache'),
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { NODE_OPTIONS: _, ...env } = process.env;
const ENDING = `.${process.version}-${process.arch}.cache`;
const start = (flags: string[] = []) =>
  execFileSync(process.execPath, [...flags, join(folder, 'rollcall.cjs'), 'version'], {
    env,
    encoding: 'utf8',
  });
const kept = () => readdirSync(join(folder, 'command')).filter((name) => !name.endsWith('.cjs'));
const main = () => join(folder, 'command', `main.cjs${ENDING}`);

it('keeps what was compiled for the next start, once', () => {
  expect(start()).toMatch(/^rollcall \d/);
  expect(kept().length).toBeGreaterThan(1);
  expect(kept().filter((name) => !name.endsWith(ENDING))).toEqual([]);
  const before = statSync(main()).ino;
  expect(start()).toMatch(/^rollcall \d/);
  expect(statSync(main()).ino).toBe(before);
});

it('replaces what this Node rejects', () => {
  writeFileSync(main(), 'nothing that was compiled');
  expect(start()).toMatch(/^rollcall \d/);
  expect(statSync(main()).size).toBeGreaterThan(10_000);
});

it('keeps nothing of a Node with other flags', () => {
  expect(start(['--no-opt'])).toMatch(/^rollcall \d/);
  expect(kept()).toEqual([]);
});

it('starts where nothing can be kept, and leaves nothing there', () => {
  mkdirSync(join(main(), 'in the way'), { recursive: true });
  expect(start()).toMatch(/^rollcall \d/);
  expect(kept()).toEqual([`main.cjs${ENDING}`]);
});
