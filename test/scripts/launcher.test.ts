import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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
const build = /const build = '(\w+)';/.exec(readFileSync(resolve('dist/rollcall.cjs'), 'utf8'))?.[1];
const ENDING = `.${build}-${process.version}-${process.arch}.cache`;
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

it('uses nothing that another build left, and leaves nothing in its place', () => {
  start();
  const launcher = join(folder, 'rollcall.cjs');
  const before = readFileSync(launcher, 'utf8');
  const [inode, count] = [statSync(main()).ino, kept().length];
  writeFileSync(launcher, before.replace(`'${build}'`, "'0123456789abcdef'"));
  start();
  expect(kept()).toHaveLength(2 * count);
  expect(statSync(main()).ino).toBe(inode);
});

describe('one that runs while its package is replaced', () => {
  const PARTS = {
    'main.cjs': `const tell = () => {
        try { console.log(require('./late-1.cjs').word); } catch (error) { console.log(error.message); }
        process.exit();
      };
      if (process.argv[2] === 'long') {
        process.stdin.once('data', tell);
        // Later than the launcher's own timer, which is as long: those fire in the order in which they were set.
        setImmediate(() => setTimeout(() => console.log('runs'), 1000));
      } else {
        console.log('runs');
        // No timer fires meanwhile.
        const pause = new Int32Array(new SharedArrayBuffer(4));
        while (require('node:fs').existsSync(__dirname + 'late-1.cjs')) Atomics.wait(pause, 0, 0, 5);
        tell();
      }`,
    'late-1.cjs': "exports.word = 'from its own part';",
  };

  async function said(how: 'long' | 'brief'): Promise<string> {
    rmSync(join(folder, 'command'), { recursive: true });
    mkdirSync(join(folder, 'command'));
    for (const [name, text] of Object.entries(PARTS)) writeFileSync(join(folder, 'command', name), text);
    const child = spawn(process.execPath, [join(folder, 'rollcall.cjs'), how], { env });
    const ended = once(child, 'close');
    await once(child.stdout, 'data');
    rmSync(join(folder, 'command'), { recursive: true });
    writeFileSync(join(folder, 'rollcall.cjs'), '');
    if (how === 'long') child.stdin.write('go\n');
    const [answer] = await once(child.stdout, 'data');
    await ended;
    return String(answer);
  }

  it('goes on with its own parts, if it runs for long', async () => {
    expect(await said('long')).toBe('from its own part\n');
  });

  it('says so plainly otherwise', async () => {
    expect(await said('brief')).toContain('rollcall was replaced or removed while it ran; start it again');
  });
});
