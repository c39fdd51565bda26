import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { branchAt } from '../../../src/adapters/git/find-work-tree.ts';
import { GitFixture } from './git-fixture.ts';

let fixture: GitFixture;
beforeEach(() => {
  fixture = new GitFixture();
});
afterEach(() => fixture.remove());

// Loaded test machines are slow.
const branch = (folder: string) => branchAt(folder, 15_000);

it('tells the branch around a folder, also in a linked worktree', async () => {
  const root = fixture.repository();
  mkdirSync(join(root, 'a/b'), { recursive: true });
  fixture.git(root, 'worktree', 'add', '-q', '-b', 'fix/one', fixture.path('linked'));
  expect(await Promise.all([join(root, 'a/b'), fixture.path('linked')].map(branch))).toEqual([
    'main',
    'fix/one',
  ]);
});

it('tells none where there is none', async () => {
  const root = fixture.repository();
  fixture.git(root, 'checkout', '-q', '--detach');
  expect(await Promise.all([root, fixture.folder, fixture.path('gone')].map(branch))).toEqual([
    null,
    null,
    null,
  ]);
});

it('tells none where it cannot be read', async () => {
  const root = fixture.repository();
  const head = join(root, '.git/HEAD');
  rmSync(head);
  execFileSync('mkfifo', [head]);
  expect(await branch(root)).toBeNull();
});
