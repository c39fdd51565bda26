import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitFixture } from './git-fixture.ts';

let fixture: GitFixture;
beforeEach(() => {
  fixture = new GitFixture();
});
afterEach(() => fixture.remove());

describe('where the repository is', () => {
  it('says none for a folder without a repository around it, without starting git', async () => {
    expect(await fixture.sense(fixture.folder)).toEqual({
      state: 'none',
      cwd: fixture.folder,
      observedAt: fixture.nowAt,
    });
    expect(fixture.calls).toEqual([]);
  });

  it('finds the work tree from a folder deep inside it', async () => {
    const root = fixture.repository();
    mkdirSync(join(root, 'a/b/c'), { recursive: true });
    expect(await fixture.repositoryFacts(join(root, 'a/b/c'))).toMatchObject({
      cwd: join(root, 'a/b/c'),
      root,
      isLinkedWorktree: false,
    });
  });

  it('follows a symlinked cwd to where it really is', async () => {
    const root = fixture.repository();
    mkdirSync(join(root, 'inside'));
    symlinkSync(join(root, 'inside'), fixture.path('link'));
    expect(await fixture.repositoryFacts(fixture.path('link'))).toMatchObject({ root });
  });

  it('fails for a cwd that does not exist, is a file, or was deleted', async () => {
    writeFileSync(fixture.path('file'), '');
    const gone = await fixture.sense(fixture.path('gone'));
    expect(gone).toMatchObject({ state: 'failed', text: expect.stringContaining('does not exist') });
    expect(await fixture.sense(fixture.path('file'))).toMatchObject({ state: 'failed' });
    mkdirSync(fixture.path('x (deleted)'));
    const deleted = await fixture.sense(fixture.path('x (deleted)'));
    expect(deleted).toMatchObject({ state: 'failed', text: expect.stringContaining('was deleted') });
    expect(await fixture.sense('relative')).toMatchObject({ state: 'failed' });
  });

  it('fails for a .git that is there but broken, and does not report the repository above it', async () => {
    const root = fixture.repository();
    mkdirSync(join(root, 'inner/.git'), { recursive: true });
    expect(await fixture.sense(join(root, 'inner'))).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('not a usable repository'),
    });
    fixture.write(join(root, 'other/.git'), 'gitdir: /nowhere/at/all\n');
    expect(await fixture.sense(join(root, 'other'))).toMatchObject({ state: 'failed' });
    fixture.write(join(root, 'third/.git'), 'rubbish');
    expect(await fixture.sense(join(root, 'third'))).toMatchObject({ state: 'failed' });
    expect(fixture.calls).toEqual([]);
  });

  it('counts a bare repository as none, also one named .git, but not a checkout that was made bare', async () => {
    fixture.git(fixture.folder, 'init', '-q', '--bare', 'plain.git');
    expect(await fixture.sense(fixture.path('plain.git'))).toMatchObject({ state: 'none' });
    fixture.git(fixture.folder, 'init', '-q', '--bare', 'hub/.git');
    expect(await fixture.sense(fixture.path('hub'))).toMatchObject({ state: 'none' });
    const root = fixture.repository();
    fixture.git(root, 'config', 'core.bare', 'true');
    expect(await fixture.sense(root)).toMatchObject({ state: 'failed' });
  });

  it('sees a linked worktree with its own branch, and a submodule that is none', async () => {
    const root = fixture.repository();
    fixture.git(root, 'worktree', 'add', '-q', '-b', 'side', fixture.path('linked'));
    expect(await fixture.repositoryFacts(fixture.path('linked'))).toMatchObject({
      root: fixture.path('linked'),
      isLinkedWorktree: true,
      branch: 'side',
    });
    const outer = fixture.repository('outer');
    fixture.git(outer, 'submodule', '--quiet', 'add', root, 'sub');
    expect(await fixture.repositoryFacts(join(outer, 'sub'))).toMatchObject({
      root: join(outer, 'sub'),
      isLinkedWorktree: false,
      hasRemote: true,
    });
  });
});
