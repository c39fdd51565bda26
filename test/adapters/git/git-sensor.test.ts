import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitFixture } from './git-fixture.ts';

let fixture: GitFixture;
beforeEach(() => {
  fixture = new GitFixture();
});
afterEach(() => fixture.remove());

describe('what is in the work tree', () => {
  it('tells a clean repository', async () => {
    const root = fixture.pushed();
    expect(await fixture.sense(root)).toEqual({
      state: 'repository',
      cwd: root,
      observedAt: fixture.nowAt,
      root,
      isLinkedWorktree: false,
      branch: 'main',
      dirtyFiles: 0,
      unpushedCommits: 0,
      hasRemote: true,
      stashes: 0,
      isMerged: true,
    });
  });

  it('S31: counts modified, staged, renamed (gone and new), deleted and untracked files', async () => {
    const root = fixture.repository();
    for (const name of ['modified', 'staged', 'deleted', 'renamed']) fixture.commit(root, name, name);
    fixture.write(join(root, 'modified'), 'changed');
    fixture.write(join(root, 'staged'), 'changed');
    fixture.git(root, 'add', 'staged');
    rmSync(join(root, 'deleted'));
    fixture.git(root, 'mv', 'renamed', 'to');
    fixture.write(join(root, 'new'), '');
    fixture.write(join(root, 'folder/a'), '');
    fixture.write(join(root, 'folder/b'), '');
    expect((await fixture.repositoryFacts(root)).dirtyFiles).toBe(7);
  });

  it('S31: counts conflicted files', async () => {
    const root = fixture.repository();
    fixture.git(root, 'checkout', '-q', '-b', 'other');
    fixture.commit(root, 'first.txt', 'theirs');
    fixture.git(root, 'checkout', '-q', 'main');
    fixture.commit(root, 'first.txt', 'ours');
    expect(() => fixture.git(root, 'merge', 'other')).toThrow();
    expect((await fixture.repositoryFacts(root)).dirtyFiles).toBe(1);
  });

  it('S31: config that hides untracked files or dirty submodules hides nothing here', async () => {
    const root = fixture.repository();
    const library = fixture.repository('library');
    fixture.git(root, 'submodule', '--quiet', 'add', library, 'sub');
    fixture.git(root, 'commit', '-q', '-m', 'sub');
    for (const [key, value] of [
      ['status.showUntrackedFiles', 'no'],
      ['submodule.sub.ignore', 'all'],
      ['diff.ignoreSubmodules', 'all'],
    ] as const) {
      fixture.git(root, 'config', key, value);
    }
    fixture.write(join(root, 'untracked'), '');
    fixture.write(join(root, 'sub/first.txt'), 'changed');
    expect((await fixture.repositoryFacts(root)).dirtyFiles).toBe(2);
  });

  it('S57: gives a lower bound instead of reading endless output', async () => {
    const root = fixture.repository();
    const name = 'n'.repeat(200);
    for (let index = 0; index < 6000; index += 1) writeFileSync(join(root, `${name}${index}`), '');
    const { dirtyFiles } = await fixture.repositoryFacts(root);
    expect(dirtyFiles).toBeGreaterThan(3000);
    expect(dirtyFiles).toBeLessThan(6000);
  });

  it('counts stashes, also those made in another work tree of the repository', async () => {
    const root = fixture.repository();
    for (const text of ['one', 'two']) {
      fixture.write(join(root, 'first.txt'), text);
      fixture.git(root, 'stash');
    }
    fixture.git(root, 'worktree', 'add', '-q', '-b', 'side', fixture.path('linked'));
    expect((await fixture.repositoryFacts(root)).stashes).toBe(2);
    expect((await fixture.repositoryFacts(fixture.path('linked'))).stashes).toBe(2);
    const older = fixture.sense(root, {
      spawn: (command, args, options) =>
        spawn(
          command,
          args.filter((word) => word !== '--show-stash'),
          options,
        ),
    });
    expect(await older).toMatchObject({ stashes: 2 });
  });

  it('believes git’s own count of stashes, wherever it keeps them', async () => {
    const root = fixture.repository();
    const script = `case "$*" in *--show-stash*) printf '# branch.oid (initial)\\0# stash 7\\0';; esac`;
    fixture.program(fixture.path('bin/git'), script);
    const env = { ...fixture.env, PATH: fixture.path('bin') };
    expect(await fixture.sense(root, { env })).toMatchObject({ state: 'repository', stashes: 7 });
  });

  it('has no branch on a detached HEAD', async () => {
    const root = fixture.repository();
    fixture.git(root, 'checkout', '-q', '--detach');
    expect(await fixture.repositoryFacts(root)).not.toHaveProperty('branch');
  });

  it('understands a repository without a commit', async () => {
    fixture.git(fixture.folder, 'init', '-q', 'empty');
    const facts = await fixture.repositoryFacts(fixture.path('empty'));
    expect(facts).toMatchObject({ branch: 'main', dirtyFiles: 0, isMerged: false, hasRemote: false });
    expect(facts).not.toHaveProperty('unpushedCommits');
  });

  it('writes nothing into the repository, not even a refreshed index', async () => {
    const root = fixture.pushed();
    fixture.write(join(root, 'first.txt'), 'x'.repeat(10));
    fixture.git(root, 'commit', '-q', '-am', 'x');
    utimesSync(join(root, 'first.txt'), new Date(1e12), new Date(1e12));
    const before = fixture.git(fixture.folder, 'hash-object', join(root, '.git/index'));
    const objects = fixture.git(root, 'count-objects', '-v');
    await fixture.sense(root);
    expect(fixture.git(fixture.folder, 'hash-object', join(root, '.git/index'))).toBe(before);
    expect(fixture.git(root, 'count-objects', '-v')).toBe(objects);
  });
});

describe('what the remotes have', () => {
  it('S31: counts commits that no remote has', async () => {
    const root = fixture.pushed();
    fixture.commit(root, 'a', 'a');
    fixture.commit(root, 'b', 'b');
    expect(await fixture.repositoryFacts(root)).toMatchObject({ unpushedCommits: 2, isMerged: false });
    fixture.git(root, 'push', '-q');
    expect(await fixture.repositoryFacts(root)).toMatchObject({ unpushedCommits: 0, isMerged: true });
  });

  it('counts a commit as pushed whatever branch of the remote has it', async () => {
    const root = fixture.pushed();
    fixture.git(root, 'checkout', '-q', '-b', 'work');
    fixture.commit(root, 'a', 'a');
    fixture.git(root, 'push', '-q', 'origin', 'work:refs/heads/elsewhere');
    expect(await fixture.repositoryFacts(root)).toMatchObject({ unpushedCommits: 0, isMerged: false });
    expect(fixture.calls).toEqual(['status', 'rev-list', 'rev-list', 'for-each-ref']);
  });

  it('counts everything as unpushed while a configured remote has nothing', async () => {
    const root = fixture.repository();
    fixture.git(root, 'remote', 'add', 'origin', fixture.path('nothing-there'));
    expect(await fixture.repositoryFacts(root)).toMatchObject({
      hasRemote: true,
      unpushedCommits: 1,
      isMerged: false,
    });
  });

  it('leaves the count out where there is no remote', async () => {
    const root = fixture.repository();
    const facts = await fixture.repositoryFacts(root);
    expect(facts.hasRemote).toBe(false);
    expect(facts).not.toHaveProperty('unpushedCommits');
  });

  it.each(['[remote.origin]\n\turl = x\n', '[core]bare=false\n[core][remote "origin"]url=x\n'])(
    'sees a remote in the spelling %j',
    async (config) => {
      const root = fixture.repository();
      writeFileSync(join(root, '.git/config'), config);
      expect((await fixture.repositoryFacts(root)).hasRemote).toBe(true);
    },
  );

  it('fails rather than guess when the commits cannot be counted', async () => {
    const root = fixture.pushed();
    fixture.git(root, 'checkout', '-q', '-b', 'work');
    fixture.commit(root, 'a', 'a');
    const lost = fixture.git(root, 'rev-parse', 'HEAD');
    fixture.commit(root, 'b', 'b');
    rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
    expect(await fixture.sense(root)).toMatchObject({ state: 'failed' });
  });
});

describe('one look for many folders', () => {
  it('answers once for each distinct cwd and looks once at each work tree', async () => {
    const root = fixture.repository();
    mkdirSync(join(root, 'inner'));
    mkdirSync(fixture.path('plain'));
    const cwds = [root, join(root, 'inner'), root, fixture.path('plain')];
    const sightings = await fixture.sensor().sense(cwds);
    expect(sightings.filter((sighting) => sighting.state === 'failed')).toEqual([]);
    expect(sightings.map((sighting) => [sighting.cwd, sighting.state])).toEqual([
      [root, 'repository'],
      [join(root, 'inner'), 'repository'],
      [fixture.path('plain'), 'none'],
    ]);
    expect(fixture.calls.filter((call) => call === 'status')).toHaveLength(1);
    const [one, two] = sightings;
    expect({ ...one, cwd: '' }).toEqual({ ...two, cwd: '' });
  });

  it('answers with the asked path where the real one differs', async () => {
    const root = fixture.repository();
    symlinkSync(root, fixture.path('alias'));
    const [sighting] = await fixture.sensor().sense([fixture.path('alias')]);
    expect(sighting).toMatchObject({ cwd: fixture.path('alias'), root: realpathSync(root) });
  });
});
