import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitFixture, numbered } from './git-fixture.ts';

let fixture: GitFixture;
let canary: string;
beforeEach(() => {
  fixture = new GitFixture();
  canary = fixture.path('canary');
});
afterEach(() => fixture.remove());

describe('hostile names', () => {
  it.each(['with space', 'new\nline', '-rf', '--git-dir=x', 'a:b', '$(touch x)', 'ünï', '*'])(
    'S55: looks at a folder called %j as at any other',
    async (name) => {
      const root = fixture.pushed(name);
      fixture.write(join(root, 'untracked'), '');
      expect(await fixture.repositoryFacts(root)).toMatchObject({ root, dirtyFiles: 1, unpushedCommits: 0 });
    },
  );

  it.each(['-dash', 'a\u202eb', 'ünï/$(x)', "quote'", 'emoji-🙂'])(
    'S54: shows a branch called %j without raw controls',
    async (name) => {
      const root = fixture.repository();
      fixture.git(root, 'symbolic-ref', 'HEAD', `refs/heads/${name}`);
      const { branch } = await fixture.repositoryFacts(root);
      expect(branch).toBe(name.replace('\u202e', '\\u{202e}'));
    },
  );

  it('S55: remotes with names that git would read as an expression break nothing', async () => {
    const root = fixture.repository();
    for (const name of ['--output=x', 'a..b', '^main', 'x@{u}', 'a b']) {
      fixture.write(
        join(root, '.git/config'),
        `${readFileSync(join(root, '.git/config'), 'utf8')}[remote "${name}"]\n\turl = /nowhere\n`,
      );
    }
    expect(await fixture.repositoryFacts(root)).toMatchObject({ unpushedCommits: 1, isMerged: false });
  });

  it('S55: a remote whose name makes a range cannot pass a local branch off as the main branch', async () => {
    const root = fixture.repository();
    fixture.git(root, 'update-ref', 'refs/remotes/a', 'HEAD');
    fixture.git(root, 'checkout', '-q', '-b', 'agent/HEAD');
    fixture.commit(root, 'mine', 'mine');
    appendFileSync(join(root, '.git/config'), '[remote "a..agent"]\n\turl = /nowhere\n');
    expect(await fixture.repositoryFacts(root)).toMatchObject({ unpushedCommits: 1, isMerged: false });
  });
});

describe('programs named by the repository', () => {
  const touch = () => `touch '${canary}'`;
  /** Shows that the trap works when git is called without care, so that the test can fail. */
  function expectTrap(root: string, ...args: string[]): void {
    try {
      fixture.git(root, ...args);
    } catch {
      // Some traps make git itself fail.
    }
    expect(existsSync(canary)).toBe(true);
    rmSync(canary);
  }
  async function expectUntouched(root: string): Promise<void> {
    const facts = await fixture.repositoryFacts(root);
    expect(facts.dirtyFiles).toBeGreaterThan(0);
    expect(existsSync(canary)).toBe(false);
  }

  it('S55: never runs a file system monitor, not even in a submodule', async () => {
    const root = fixture.repository();
    const library = fixture.repository('library');
    fixture.git(root, 'submodule', '--quiet', 'add', library, 'sub');
    fixture.write(join(root, 'first.txt'), 'changed');
    fixture.git(root, 'config', 'core.fsmonitor', fixture.program(fixture.path('monitor'), touch()));
    expectTrap(root, 'status');
    await expectUntouched(root);
    fixture.git(root, 'config', '--unset', 'core.fsmonitor');
    fixture.git(join(root, 'sub'), 'config', 'core.fsmonitor', fixture.path('monitor'));
    expectTrap(root, 'status');
    await expectUntouched(root);
  });

  it('S55: never runs a hook', async () => {
    const root = fixture.repository();
    fixture.program(join(root, '.git/hooks/post-index-change'), touch());
    fixture.write(join(root, 'untracked'), '');
    fixture.write(join(root, 'first.txt'), numbered(30));
    expectTrap(root, 'status');
    fixture.write(join(root, 'first.txt'), numbered(30));
    await expectUntouched(root);
  });

  it.each([
    ['clean', 'its own config', 'config'],
    ['process', 'its own config', 'config'],
    ['clean', 'an included file', 'extra'],
  ])('S55: never runs a content filter (%s) from %s', async (kind, _, file) => {
    const root = fixture.repository();
    fixture.write(join(root, '.gitattributes'), '* filter=trap\n');
    fixture.git(root, 'add', '-A');
    fixture.git(root, 'config', '--file', join(root, '.git', file), `filter.trap.${kind}`, `${touch()}; cat`);
    fixture.git(root, 'config', '--file', join(root, '.git', file), 'filter.trap.required', 'true');
    if (file !== 'config') fixture.git(root, 'config', 'include.path', file);
    fixture.write(join(root, 'first.txt'), numbered(30, { 1: 'other 1' }).slice(0, -1));
    expectTrap(root, 'status');
    await expectUntouched(root);
  });

  it('S55: never runs a filter whose name no option could switch off', async () => {
    const root = fixture.repository();
    fixture.write(join(root, '.gitattributes'), '* filter=a=b\n');
    fixture.git(root, 'add', '-A');
    appendFileSync(join(root, '.git/config'), `[filter "a=b"]\n\tclean = "${touch()}; cat"\n`);
    fixture.write(join(root, 'first.txt'), numbered(30, { 1: 'other 1' }).slice(0, -1));
    expectTrap(root, 'status');
    await expectUntouched(root);
  });

  it('S55: never runs an external diff, a text conversion or a fetch of missing objects', async () => {
    const root = fixture.pushed();
    fixture.git(root, 'checkout', '-q', '-b', 'work');
    fixture.write(join(root, '.gitattributes'), '*.txt diff=trap\n');
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'mine' }));
    fixture.git(root, 'checkout', '-q', 'main');
    fixture.write(join(root, '.gitattributes'), '*.txt diff=trap\n# main\n');
    fixture.commit(root, 'first.txt', numbered(30, { 2: 'theirs' }));
    fixture.git(root, 'push', '-q');
    fixture.git(root, 'checkout', '-q', 'work');
    fixture.write(join(root, 'untracked'), '');
    for (const key of ['diff.external', 'diff.trap.command', 'diff.trap.textconv', 'core.pager']) {
      fixture.git(root, 'config', key, fixture.program(fixture.path('trap'), touch()));
    }
    expectTrap(root, 'diff', 'main', 'work');
    await expectUntouched(root);
    expect(fixture.calls.filter((call) => call === 'diff-tree')).toHaveLength(2);

    const blob = fixture.git(root, 'rev-parse', 'main:first.txt');
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    fixture.git(root, 'config', 'core.repositoryFormatVersion', '1');
    fixture.git(root, 'config', 'extensions.partialClone', 'origin');
    fixture.git(root, 'config', 'remote.origin.promisor', 'true');
    fixture.git(root, 'config', 'protocol.ext.allow', 'always');
    fixture.git(root, 'config', 'remote.origin.url', `ext::${fixture.path('trap')}`);
    expectTrap(root, 'cat-file', '-p', blob);
    await expectUntouched(root);
  });

  it('S55: does not slip to the repository above when its own vanishes under it', async () => {
    const inner = fixture.repository('outer/inner');
    fixture.repository('outer');
    const sighting = await fixture.sense(inner, {
      spawn: (command, args, options) => {
        rmSync(join(inner, '.git'), { recursive: true, force: true });
        return spawn(command, args, options);
      },
    });
    expect(sighting).toMatchObject({ state: 'failed' });
  });

  it('lets the filters of the user’s own config run, without which clean files would look changed', async () => {
    fixture.write(fixture.path('global'), '[filter "upper"]\n\tclean = tr a-z A-Z\n');
    fixture.env.GIT_CONFIG_GLOBAL = fixture.path('global');
    const root = fixture.repository();
    fixture.write(join(root, '.gitattributes'), '*.up filter=upper\n');
    fixture.commit(root, 'file.up', 'text\n');
    appendFileSync(join(root, '.git/config'), '[filter "upper"]\n\tclean = cat\n');
    fixture.write(join(root, 'file.up'), 'teXt\n');
    expect((await fixture.repositoryFacts(root)).dirtyFiles).toBe(0);
  });

  it('S55: is not led elsewhere by the environment it was started in', async () => {
    const root = fixture.repository();
    const other = fixture.repository('other');
    fixture.write(join(root, 'untracked'), '');
    const env = {
      ...fixture.env,
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, '.git/index'),
      GIT_CONFIG_PARAMETERS: "'status.showUntrackedFiles'='no'",
    };
    expect(await fixture.sense(root, { env })).toMatchObject({ root, dirtyFiles: 1 });
  });
});
