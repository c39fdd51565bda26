import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTreeState, rootAround } from '../../../src/adapters/git/tree-state.ts';
import { until } from '../../support/until.ts';

let folder: string;
const access = { env: process.env, timeoutMs: 10_000 };

beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'tree-'));
  git('init', '-q', '-b', 'main');
  write('kept.txt', 'one\n');
  write('.gitignore', 'ignored\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', folder, ...who, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** The clock of a file system has coarse steps: within one of them a change in place cannot be told. */
async function nextStep(): Promise<void> {
  const probe = `${folder}.probe`;
  const touched = () => {
    writeFileSync(probe, '');
    return statSync(probe, { bigint: true }).ctimeNs;
  };
  const before = touched();
  await until('the clock has moved on', touched, (now) => now > before, 0, 1);
  rmSync(probe);
}

async function digest(cwd = folder): Promise<string> {
  const tree = await readTreeState(access, cwd);
  if (tree.state === 'unknown') throw new Error(tree.text);
  return tree.digest;
}

test('is the same as long as nothing changes, from every folder of it, and another after every change', async () => {
  mkdirSync(join(folder, 'sub'));
  const seen = new Set<string>();
  const isNew = async (what: string) => {
    const now = await digest();
    expect([what, seen.has(now)]).toEqual([what, false]);
    expect([what, await digest(join(folder, 'sub'))]).toEqual([what, now]);
    seen.add(now);
    await nextStep();
  };
  const steps: readonly (readonly [string, () => void])[] = [
    ['nothing yet', () => {}],
    ['a new file', () => write('new.txt', 'a')],
    ['the same size again', () => write('new.txt', 'b')],
    ['a new one in a folder', () => write('sub/x', '')],
    ['a change', () => write('kept.txt', 'two\n')],
    ['another change of what had changed', () => write('kept.txt', 'six\n')],
    ['its mode', () => chmodSync(join(folder, 'kept.txt'), 0o755)],
    ['staged', () => git('add', 'kept.txt')],
    ['committed', () => git('commit', '-q', '-m', 'second')],
    ['removed', () => unlinkSync(join(folder, 'kept.txt'))],
    ['a link in its place', () => symlinkSync('/nowhere', join(folder, 'kept.txt'))],
    ['an empty commit', () => git('commit', '-q', '--allow-empty', '-m', 'third')],
    ['another branch', () => git('checkout', '-q', '-b', 'other')],
    ['a name of other bytes', () => writeFileSync(Buffer.from(`${folder}/\xff\xfe`, 'latin1'), '')],
    ['that again', () => writeFileSync(Buffer.from(`${folder}/\xff\xfe`, 'latin1'), 'x')],
    ['a name with a line end', () => write('two\nlines ', '')],
  ];
  for (const [what, step] of steps) {
    step();
    await isNew(what);
  }
});

test('a file that was made to look the same is another one', async () => {
  const put = (text: string) => {
    write('new.txt', text);
    utimesSync(join(folder, 'new.txt'), 1000, 1000);
  };
  put('a');
  const before = await digest();
  await nextStep();
  put('b');
  expect(await digest()).not.toBe(before);
});

test('what git ignores does not count, and the index is not written', async () => {
  const index = () => statSync(join(folder, '.git', 'index'), { bigint: true }).mtimeNs;
  const [before, mark] = [await digest(), index()];
  write('ignored', 'x');
  utimesSync(join(folder, 'kept.txt'), 1, 1);
  expect([await digest(), index()]).toEqual([before, mark]);
  writeFileSync(join(folder, '.git', 'index.lock'), '');
  expect(await digest()).toBe(before);
});

test('counts what is not committed', async () => {
  expect(await readTreeState(access, folder)).toMatchObject({ root: folder, dirtyFiles: 0 });
  mkdirSync(join(folder, 'sub'));
  for (const name of ['sub/a', 'sub/b', 'kept.txt']) write(name, 'x');
  expect(await readTreeState(access, folder)).toMatchObject({ state: 'known', dirtyFiles: 3 });
});

test('is not known where changes could hide, outside of a repository, or without an answer', async () => {
  mkdirSync(join(folder, 'inner'));
  execFileSync('git', ['-C', join(folder, 'inner'), 'init', '-q']);
  writeFileSync(join(folder, 'inner', 'x'), '');
  expect(await readTreeState(access, folder)).toMatchObject({
    state: 'unknown',
    text: expect.stringContaining('a repository of its own'),
  });
  rmSync(join(folder, 'inner'), { recursive: true });
  const module = join(folder, '..', `${folder.split('/').at(-1)}-module`);
  execFileSync('cp', ['-r', folder, module]);
  try {
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, 'module');
    git('commit', '-q', '-m', 'module');
    expect((await readTreeState(access, folder)).state).toBe('known');
    write('module/kept.txt', 'changed\n');
    expect((await readTreeState(access, folder)).state).toBe('unknown');
    git('-C', 'module', 'checkout', '-q', 'kept.txt');
    write('module/untracked', '');
    expect((await readTreeState(access, folder)).state).toBe('unknown');
  } finally {
    rmSync(module, { recursive: true });
  }
  expect(await readTreeState(access, '/proc')).toMatchObject({ state: 'unknown' });
  expect(await readTreeState(access, join(folder, 'missing'))).toMatchObject({ state: 'unknown' });
  expect(await readTreeState({ ...access, timeoutMs: 0 }, folder)).toMatchObject({ state: 'unknown' });
  expect([await rootAround(join(folder, 'module')), await rootAround('/proc')]).toEqual([
    join(folder, 'module'),
    null,
  ]);
});

test('too many changed files are too many', async () => {
  for (const name of ['a', 'b', 'c']) write(name, '');
  expect(await readTreeState(access, folder, 3)).toMatchObject({ dirtyFiles: 3 });
  expect(await readTreeState(access, folder, 2)).toEqual({
    state: 'unknown',
    text: 'more than 2 files have changed',
  });
});
