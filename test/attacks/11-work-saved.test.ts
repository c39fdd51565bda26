import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedAt } from '../../src/adapters/git/changed-at.ts';
import { workSaved } from '../../src/core/checks/work-saved.ts';
import type { GitSighting } from '../../src/core/sight/sighting.ts';
import type { Check } from '../../src/core/verdict/verdict.ts';
import { GitFixture, numbered } from '../adapters/git/git-fixture.ts';
import { judgedOf } from '../core/judged.ts';
import { hasWorlds, World } from '../laws/world.ts';
import { git, NOW, pane } from '../support/evidence.ts';
import { until } from '../support/until.ts';

let fixture: GitFixture;
let root: string;
beforeEach(() => {
  fixture = new GitFixture();
  root = fixture.pushed();
});
afterEach(() => fixture.remove());

const HOUR_MS = 3_600_000;
/** A session that began before everything here, and one that began after it. */
const [BEFORE, AFTER] = [Date.now() - HOUR_MS, Date.now() + HOUR_MS];

/** The line of the checklist for a session that began then. */
async function check(since: number, cwd = root): Promise<Pick<Check, 'state' | 'text'>> {
  const facts: GitSighting = { ...(await fixture.sense(cwd)), observedAt: NOW.at };
  const { state, text } = workSaved(judgedOf([pane(), git({}, { facts, since })]));
  return { state, text };
}

async function expectUnsaved(text: string, cwd = root): Promise<void> {
  expect(await check(BEFORE, cwd)).toEqual({ state: 'unmet', text: expect.stringContaining(text) });
}

/** Told, and no reason to keep the session. */
async function expectTold(text: string, cwd = root): Promise<void> {
  expect(await check(AFTER, cwd)).toEqual({ state: 'met', text: expect.stringContaining(text) });
}

function commitOn(branch: string): void {
  fixture.git(root, 'checkout', '-q', '-b', branch);
  fixture.commit(root, 'mine', branch);
  fixture.git(root, 'checkout', '-q', 'main');
}

/** A bare repository behind a `.git` file, with a linked work tree beside it: the path of that one. */
function hub(name: string): string {
  const folder = fixture.path(name);
  mkdirSync(folder, { recursive: true });
  fixture.git(folder, 'clone', '-q', '--bare', fixture.path('repository.remote'), '.bare');
  fixture.write(join(folder, '.git'), 'gitdir: ./.bare\n');
  fixture.git(folder, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  fixture.git(folder, 'fetch', '-q');
  fixture.git(folder, 'worktree', 'add', '-q', '-b', 'feature', 'feature', 'origin/main');
  return join(folder, 'feature');
}

describe('other branches', () => {
  test('S31: a commit on another branch is not saved by going back to main', async () => {
    commitOn('work');
    await expectUnsaved('1 unpushed commit on branch work');
  });

  test('S31: an old branch is told of, and keeps no session', async () => {
    commitOn('work');
    await expectTold('not of this session: 1 unpushed commit on branch work');
  });

  test('S31: a date that was set back does not hide a commit', async () => {
    fixture.env.GIT_COMMITTER_DATE = '2001-01-01T00:00:00Z';
    commitOn('work');
    await expectUnsaved('1 unpushed commit on branch work');
  });

  test('S31: a branch that is on a remote, or was squashed into main, is saved', async () => {
    commitOn('work');
    fixture.git(root, 'push', '-q', 'origin', 'work:elsewhere');
    expect((await check(BEFORE)).state).toBe('met');
    commitOn('squashed');
    fixture.git(root, 'merge', '-q', '--squash', 'squashed');
    fixture.git(root, 'commit', '-q', '-m', 'squashed');
    fixture.git(root, 'push', '-q');
    expect((await check(BEFORE)).state).toBe('met');
  });

  test('S31: what somebody commits in another work tree is theirs', async () => {
    const linked = fixture.path('linked');
    fixture.git(root, 'worktree', 'add', '-q', '-b', 'theirs', linked);
    fixture.commit(linked, 'a', 'a');
    expect(await check(BEFORE)).toMatchObject({ state: 'met', text: expect.not.stringContaining('theirs') });
    fixture.git(linked, 'checkout', '-q', '--detach', 'main');
    expect(await check(BEFORE)).toMatchObject({
      state: 'met',
      text: expect.stringContaining('branch theirs'),
    });
    await expectUnsaved('1 unpushed commit on branch theirs', linked);
  });

  test('S31: a HEAD without a commit hides no branch', async () => {
    commitOn('work');
    fixture.git(root, 'switch', '-q', '--orphan', 'pages');
    await expectUnsaved('1 unpushed commit on branch work');
  });

  test('S31: neither a removed work tree nor a bare repository has a branch checked out', async () => {
    commitOn('work');
    const linked = fixture.path('linked');
    fixture.git(root, 'worktree', 'add', '-q', linked, 'work');
    const sensor = fixture.sensor();
    await sensor.sense([root]);
    expect((await check(BEFORE)).state).toBe('met');
    rmSync(linked, { recursive: true });
    await expectUnsaved('1 unpushed commit on branch work');
    fixture.nowAt += 5000;
    expect(await sensor.sense([root])).toMatchObject([{ branches: [{ name: 'work', isOwn: true }] }]);

    const feature = hub('hub');
    fixture.git(feature, 'checkout', '-q', 'main');
    fixture.commit(feature, 'mine', 'mine');
    fixture.git(feature, 'checkout', '-q', 'feature');
    await expectUnsaved('1 unpushed commit on branch main', feature);
  });

  test.each([
    ['a tag', ['tag', 'wip']],
    ['an annotated tag', ['tag', '-a', '-m', 'wip', 'wip']],
  ])('S31: %s does not save a commit, and a tag of others is not told of', async (_, tag) => {
    fixture.git(root, 'checkout', '-q', '--detach');
    fixture.commit(root, 'mine', 'mine');
    fixture.git(root, ...tag);
    fixture.git(root, 'checkout', '-q', 'main');
    await expectUnsaved('1 unpushed commit on tag wip');
    fixture.git(root, 'tag', '-a', '-m', 'twice', 'twice', 'wip');
    fixture.git(root, 'tag', '-d', 'wip');
    await expectUnsaved('1 unpushed commit on tag twice');
    fixture.git(root, 'tag', '-d', 'twice');
    fixture.git(root, 'tag', 'fetched', fixture.git(root, 'commit-tree', '-m', 'theirs', 'HEAD^{tree}'));
    expect(await check(BEFORE)).toMatchObject({ state: 'met', text: expect.not.stringContaining('fetched') });
  });

  test('a stash stands against closing, as before', async () => {
    fixture.write(join(root, 'first.txt'), numbered(30, { 1: 'mine' }));
    fixture.git(root, 'stash');
    expect(await check(AFTER)).toEqual({ state: 'unmet', text: '1 stash in the repository' });
  });

  test('asks once for branches, and again only when one has moved', async () => {
    commitOn('work');
    const sensor = fixture.sensor();
    const calls = async () => {
      fixture.nowAt += 5000;
      fixture.calls.length = 0;
      await sensor.sense([root]);
      return [...fixture.calls];
    };
    expect((await calls()).filter((call) => call === 'for-each-ref')).toHaveLength(1);
    expect(await calls()).toEqual(['status']);
    fixture.git(root, 'branch', '-q', '-f', 'work', 'work');
    fixture.git(root, 'branch', '-q', 'new', 'work');
    expect(await calls()).toContain('for-each-ref');
  });
});

describe('operations in progress', () => {
  const otherBranch = () => {
    commitOn('other');
    fixture.git(root, 'push', '-q', 'origin', 'other');
  };
  const merge = (cwd: string) => fixture.git(cwd, 'merge', '-q', '--no-commit', '-s', 'ours', 'origin/other');

  test('S31: a merge that was not committed is not saved, and is once it is aborted', async () => {
    otherBranch();
    merge(root);
    expect(await check(AFTER)).toEqual({ state: 'unmet', text: 'a merge is in progress' });
    fixture.git(root, 'merge', '--abort');
    expect((await check(BEFORE)).state).toBe('met');
  });

  test('S31: a rebase that stopped is not saved', async () => {
    otherBranch();
    fixture.git(root, 'checkout', '-q', 'other');
    fixture.env.GIT_SEQUENCE_EDITOR = 'sed -i 1ibreak';
    fixture.git(root, 'rebase', '-q', '-i', 'HEAD~1');
    expect(await check(AFTER)).toEqual({ state: 'unmet', text: 'a rebase is in progress' });
  });

  test('S31: each trace of an operation is told by its name', async () => {
    const traces = [
      ['rebase-apply/applying', 'git am'],
      ['rebase-merge/done', 'rebase'],
      ['CHERRY_PICK_HEAD', 'cherry-pick'],
      ['REVERT_HEAD', 'revert'],
      ['sequencer/todo', 'cherry-pick or revert'],
      ['BISECT_LOG', 'bisect'],
    ] as const;
    for (const [trace, operation] of traces) {
      fixture.write(join(root, '.git', trace), '');
      expect((await fixture.repositoryFacts(root)).operation).toBe(operation);
      rmSync(join(root, '.git', dirname(trace) === '.' ? trace : dirname(trace)), { recursive: true });
    }
  });

  test('S31: a merge counts in a repository below, where neither HEAD nor a file has changed', async () => {
    otherBranch();
    fixture.write(join(root, '.git/info/exclude'), 'vendor/\n');
    fixture.git(root, 'clone', '-q', fixture.path('repository.remote'), 'vendor');
    // The clock of files is behind by some milliseconds.
    const since = Date.now() + 1;
    await until(
      'the clock moves on',
      () => Date.now(),
      (now) => now > since + 20,
    );
    merge(join(root, 'vendor'));
    expect(await check(since)).toEqual({ state: 'unmet', text: 'in vendor: a merge is in progress' });
    await expectTold('not of this session: in vendor: a merge is in progress');
  });
});

describe('repositories below', () => {
  const MODULE = 'lib';
  function addSubmodule(): string {
    fixture.pushed('library');
    const url = fixture.path('library.remote');
    fixture.git(root, 'submodule', '--quiet', 'add', url, MODULE);
    fixture.git(root, 'commit', '-q', '-m', MODULE);
    fixture.git(root, 'push', '-q');
    return join(root, MODULE);
  }

  test('S31: a submodule counts whenever it was left so: changed, untracked, not pushed, another commit', async () => {
    const module = addSubmodule();
    expect((await check(BEFORE)).state).toBe('met');
    fixture.write(join(module, 'first.txt'), 'changed');
    expect((await fixture.repositoryFacts(root)).dirtyFiles).toBe(1);
    expect(await check(AFTER)).toEqual({
      state: 'unmet',
      text: expect.stringContaining('in the submodule lib: 1 uncommitted file on branch main'),
    });
    fixture.git(module, 'checkout', '-q', 'first.txt');
    fixture.write(join(module, 'new'), '');
    expect((await check(AFTER)).state).toBe('unmet');
    fixture.git(module, 'add', '-A');
    fixture.git(module, 'commit', '-q', '-m', 'mine');
    expect((await check(AFTER)).text).toContain('in the submodule lib: 1 unpushed commit');
    fixture.git(root, 'commit', '-q', '-a', '-m', 'take it');
    fixture.git(root, 'push', '-q');
    expect(await check(AFTER)).toEqual({
      state: 'unmet',
      text: 'in the submodule lib: 1 unpushed commit on branch main',
    });
    fixture.git(module, 'push', '-q');
    expect((await check(BEFORE)).state).toBe('met');
    fixture.git(module, 'checkout', '-q', '--detach', 'HEAD~1');
    expect((await check(AFTER)).text).toContain('1 uncommitted file on branch main');
  });

  test('S31: files where a submodule was never checked out are no secret', async () => {
    addSubmodule();
    fixture.git(root, 'submodule', '--quiet', 'deinit', '--force', MODULE);
    expect((await check(BEFORE)).state).toBe('met');
    fixture.write(join(root, MODULE, 'notes'), 'mine');
    await expectUnsaved('1 uncommitted file');
  });

  test('S31: a submodule of which nothing can be told leaves the whole unknown', async () => {
    const module = addSubmodule();
    writeFileSync(join(module, '.git'), 'gitdir: /nowhere\n');
    expect(await check(BEFORE)).toMatchObject({
      state: 'unknown',
      text: expect.stringContaining('the submodule lib'),
    });
  });

  test.each([
    ['ignored', 'vendor/inner', 'vendor/\n'],
    ['ignored, some folders down', 'cache/a/b/inner', 'cache/\n'],
  ])('S31: an %s repository counts where something was done in it', async (_, path, ignored) => {
    fixture.write(join(root, '.git/info/exclude'), ignored);
    mkdirSync(join(root, path, '..'), { recursive: true });
    fixture.git(root, 'clone', '-q', fixture.path('repository.remote'), path);
    expect((await check(BEFORE)).state).toBe('met');
    fixture.write(join(root, path, 'deep/er/new'), '');
    await expectUnsaved(`in ${path}: 1 uncommitted file on branch main`);
    await expectTold(`not of this session: in ${path}: 1 uncommitted file`);
    fixture.git(join(root, path), 'checkout', '-q', '-b', 'other');
    fixture.commit(join(root, path), 'mine', 'mine');
    fixture.git(join(root, path), 'checkout', '-q', 'main');
    await expectUnsaved(`in ${path}: 1 unpushed commit on branch other`);
  });

  test('S31: an untracked repository is uncommitted, and told by its name', async () => {
    fixture.git(root, 'clone', '-q', fixture.path('repository.remote'), 'nested');
    fixture.write(join(root, 'nested/new'), '');
    expect(await check(AFTER)).toMatchObject({ state: 'unmet', text: '1 uncommitted file on branch main' });
    await expectUnsaved('in nested: 1 uncommitted file on branch main');
  });

  test('S31: a folder in no repository has those below it', async () => {
    const folder = fixture.path('projects');
    mkdirSync(join(folder, 'group'), { recursive: true });
    fixture.git(folder, 'clone', '-q', fixture.path('repository.remote'), 'group/one');
    expect(await check(BEFORE, folder)).toEqual({ state: 'met', text: 'its folder is in no git repository' });
    fixture.commit(join(folder, 'group/one'), 'mine', 'mine');
    await expectUnsaved('in group/one: 1 unpushed commit on branch main', folder);
    await expectTold('its folder is in no git repository; not of this session: in group/one', folder);
  });

  test('S31: a bare repository is no end: the work trees below its folder are looked at', async () => {
    const feature = hub('projects/hub');
    const [folder, above] = [fixture.path('projects/hub'), fixture.path('projects')];
    const deep = join(folder, 'a/b/c/d/deep');
    fixture.git(folder, 'worktree', 'add', '-q', '-b', 'deep', deep, 'origin/main');
    expect(await check(BEFORE, folder)).toEqual({ state: 'met', text: 'its folder is in no git repository' });
    fixture.write(join(feature, 'new'), '');
    await expectUnsaved('in feature: 1 uncommitted file on branch feature', folder);
    await expectUnsaved('in hub/feature: 1 uncommitted file on branch feature', above);
    await expectTold('not of this session: in hub/feature: 1 uncommitted file', above);
    rmSync(feature, { recursive: true });
    fixture.write(join(deep, 'new'), '');
    await expectUnsaved('in a/b/c/d/deep: 1 uncommitted file on branch deep', folder);
    await expectUnsaved('in hub/a/b/c/d/deep: 1 uncommitted file', above);
  });

  test('S31: a bare repository keeps the branch of a work tree that was removed', async () => {
    const feature = hub('hub');
    fixture.commit(feature, 'mine', 'mine');
    fixture.git(fixture.path('hub'), 'worktree', 'remove', 'feature');
    await expectUnsaved('in .bare: 1 unpushed commit on branch feature', fixture.path('hub'));
  });

  describe('with names that are not UTF-8', () => {
    const NAME = "$(printf 'b\\374cher')";
    /** Only a shell can hand such a name to git. */
    const shell = (script: string) => {
      const options = [
        '-c',
        'user.name=A',
        '-c',
        'user.email=a@example.org',
        '-c',
        'protocol.file.allow=always',
      ];
      const git = `git() { command git ${options.join(' ')} "$@"; }; n="${NAME}"; remote=../repository.remote`;
      execFileSync('sh', ['-ec', `${git}; ${script}`], { cwd: root, env: fixture.env, stdio: 'ignore' });
    };
    const unknown = (text: string) => ({ state: 'unknown', text: expect.stringContaining(text) });

    test('S31: a submodule is unknown, not absent', async () => {
      shell(
        'git submodule --quiet add "$PWD/$remote" "$n"; git commit -q -m sub; git push -q; echo x > "$n/new"',
      );
      expect(await check(AFTER)).toEqual(unknown('the name of the submodule b\uFFFDcher is not UTF-8'));
    });

    test('S31: a repository in an ignored folder is unknown, and a folder without one is not', async () => {
      fixture.write(join(root, '.git/info/exclude'), 'ignored/\n');
      shell('mkdir -p "ignored/$n"');
      expect((await check(BEFORE)).state).toBe('met');
      shell('git clone -q "$remote" "ignored/$n/nested"');
      fixture.nowAt = Date.now();
      expect(await check(BEFORE)).toEqual(unknown('in ignored/b\uFFFDcher/nested: its name is not UTF-8'));
    });

    test('S31: a file that was changed in place in a repository below is seen', async () => {
      fixture.write(join(root, '.git/info/exclude'), 'ignored/\n');
      shell(
        'git clone -q "$remote" ignored; cd ignored; echo x > "$n"; git add -A; git commit -q -m n; git push -q',
      );
      const since = Date.now() + 1;
      await until(
        'the clock moves on',
        () => Date.now(),
        (now) => now > since + 20,
      );
      shell('echo more >> "ignored/$n"');
      fixture.nowAt = Date.now();
      expect(await check(since)).toEqual({
        state: 'unmet',
        text: 'in ignored: 1 uncommitted file on branch main',
      });
    });
  });

  test('S57: more submodules than are looked at leave the whole unknown', async () => {
    const oid = fixture.git(root, 'rev-parse', 'HEAD');
    const entries: string[] = [];
    const head = readFileSync(join(root, '.git/HEAD'), 'utf8');
    for (let index = 0; index < 70; index += 1) {
      const dot = join(root, `m${index}`, '.git');
      for (const name of ['objects', 'refs']) mkdirSync(join(dot, name), { recursive: true });
      writeFileSync(join(dot, 'HEAD'), head);
      entries.push('--cacheinfo', `160000,${oid},m${index}`);
    }
    fixture.git(root, 'update-index', '--add', ...entries);
    expect(await check(BEFORE)).toMatchObject({
      state: 'unknown',
      text: expect.stringContaining('it is one of too many'),
    });
  });
});

describe.skipIf(!hasWorlds)('the whole command', () => {
  test('S31: a session that left a commit on another branch is not due', async () => {
    const world = await World.open();
    try {
      const go = join(world.folder, 'go');
      const script = `until [ -e ${go} ]; do sleep 0.05; done; cd ${root}; git checkout -q -b work; echo > mine; git add mine
        git -c user.name=A -c user.email=a@example.org commit -q -m mine; git checkout -q main`;
      const run = ['run', '--name', 'worker', '--remain', '--cwd', root, '--', 'sh', '-c', script];
      await world.rollcall(run);
      writeFileSync(go, '');
      await world.untilEnded('worker');
      const { blockers } = await until(
        'it rests',
        () => world.entry('worker'),
        // On a busy machine git may not answer in time, which is told in other words.
        ({ blockers }) => blockers.length === 1 && blockers[0]?.text.includes('unpushed') === true,
      );
      expect(blockers).toEqual([
        {
          ...{ code: 'work-saved', kind: 'unfinished' },
          text: expect.stringContaining('1 unpushed commit on branch work'),
        },
      ]);
      fixture.git(root, 'push', '-q', 'origin', 'work');
      await until(
        'it is due',
        () => world.entry('worker'),
        ({ blockers }) => blockers.length === 0,
      );
    } finally {
      await world.close();
    }
  });
});

describe.skipIf(!hasWorlds)('since when', () => {
  test('S31: work stays that of a session whose window is moved or shared, or that is reopened', async () => {
    const world = await World.open();
    const start = async (name: string) => {
      await world.rollcall([
        'run',
        '--name',
        name,
        '--cwd',
        root,
        '--',
        ...world.agents.argv(name, 'leaves'),
      ]);
      await world.agents.pid(name);
    };
    const saved = async (name: string) => {
      const { session } = await world.json<{ session: { checks: Check[] } }>(['explain', name]);
      return session.checks.find(({ code }) => code === 'work-saved');
    };
    try {
      for (const name of ['move', 'share', 'lose']) await start(name);
      commitOn('work');
      const committedAt = Date.now();
      const passes = (ms: number) => until('time passes', () => Date.now() > committedAt + ms);
      // tmux notes the creation of sessions in whole seconds.
      await passes(1000);
      await world.session('moved');
      await world.tmux('move-window', '-k', '-s', '=move:0', '-t', '=moved:0');
      await world.tmux('new-session', '-d', '-s', 'shared', '-t', '=share');
      for (const name of ['share', 'lose']) await world.tmux('kill-session', '-t', `=${name}`);
      await world.rollcall([]);
      expect(await world.rollcall(['reopen', 'lose'])).toMatchObject({ exitCode: 0 });
      for (const name of ['moved', 'shared', 'lose']) {
        const known = await until(
          'git has answered',
          () => saved(name),
          (check) => check?.state !== 'unknown',
        );
        expect({ name, ...known }).toMatchObject({
          ...{ name, state: 'unmet' },
          text: expect.stringContaining('1 unpushed commit on branch work'),
        });
      }
      // The start of a process is taken a little early.
      await passes(3000);
      await world.session('later');
      await world.tmux('send-keys', '-t', '=later:', `cd ${root}`, 'Enter');
      await until(
        'it is told only',
        () => saved('later'),
        (check) => check?.text.includes('not of this session: 1 unpushed') ?? false,
      );
    } finally {
      await world.close();
    }
  });
});

describe('when something was last done', () => {
  /** Left as it is before the session begins. */
  let inner: string;
  let since: number;
  const run = (...args: string[]) => fixture.git(inner, ...args);

  beforeEach(() => {
    fixture.write(join(root, '.git/info/exclude'), 'vendor/\n');
    mkdirSync(join(root, 'vendor'));
    inner = join(root, 'vendor/inner');
    fixture.git(root, 'clone', '-q', fixture.path('repository.remote'), inner);
  });

  /** The session begins: what was done before has an earlier time. */
  async function begin(): Promise<void> {
    const probe = fixture.path('probe');
    const last = Date.now();
    await until(
      'the clock of the files goes on',
      () => {
        fixture.write(probe, '');
        return statSync(probe).ctimeMs;
      },
      (at) => at > last + 1,
    );
    since = statSync(probe).ctimeMs;
    fixture.nowAt = since;
  }

  async function expectCounted(text: string): Promise<void> {
    expect(await check(since)).toEqual({ state: 'unmet', text: expect.stringContaining(text) });
  }

  test('S31: old changes in a repository below stay earlier, also staged and packed', async () => {
    fixture.commit(inner, 'mine', 'mine');
    fixture.write(join(inner, 'staged'), '');
    run('add', 'staged');
    run('pack-refs', '--all');
    await begin();
    const { state, text } = await check(since);
    expect({ state, text }).toEqual({
      state: 'met',
      text: expect.stringContaining('not of this session: in vendor/inner: 1 uncommitted'),
    });
  });

  test('S31: a commit counts where HEAD keeps no log', async () => {
    rmSync(join(inner, '.git/logs'), { recursive: true });
    run('config', 'core.logAllRefUpdates', 'false');
    await begin();
    fixture.commit(inner, 'mine', 'mine');
    await expectCounted('in vendor/inner: 1 unpushed commit on branch main');
    run('pack-refs', '--all');
    await expectCounted('in vendor/inner: 1 unpushed commit on branch main');
  });

  test('S31: an older folder that was moved in counts', async () => {
    fixture.write(fixture.path('older/deep/file'), '');
    mkdirSync(join(inner, 'sub'));
    await begin();
    renameSync(fixture.path('older'), join(inner, 'sub/older'));
    await expectCounted('in vendor/inner: 1 uncommitted file');
  });

  test('S31: another commit in a submodule of a repository below counts', async () => {
    fixture.pushed('library');
    run('submodule', '--quiet', 'add', fixture.path('library.remote'), 'lib');
    run('commit', '-q', '-m', 'lib');
    run('push', '-q');
    await begin();
    // No entry of its folder changes.
    fixture.commit(join(inner, 'lib'), 'first.txt', 'mine');
    fixture.git(join(inner, 'lib'), 'push', '-q');
    await expectCounted('in vendor/inner: 1 uncommitted file');
  });

  test('S31: a change counts where the name of the file is no UTF-8', async () => {
    const name = Buffer.concat([Buffer.from(`${inner}/b`), Buffer.from([0xfc]), Buffer.from('cher')]);
    writeFileSync(name, 'a');
    run('add', '-A');
    run('commit', '-q', '-m', 'name');
    run('push', '-q');
    await begin();
    writeFileSync(name, 'changed');
    await expectCounted('in vendor/inner: 1 uncommitted file');
  });

  test('S31: what was taken out of the index counts', async () => {
    await begin();
    run('rm', '-q', '--cached', 'first.txt');
    await expectCounted('in vendor/inner: 2 uncommitted files');
  });

  test('S31: a packed branch counts whatever the date of its commit, also without a log', async () => {
    await begin();
    fixture.env.GIT_COMMITTER_DATE = '2001-01-01T00:00:00Z';
    commitOn('work');
    fixture.git(root, 'pack-refs', '--all');
    await expectCounted('1 unpushed commit on branch work');
    rmSync(join(root, '.git/logs/refs'), { recursive: true });
    await expectCounted('1 unpushed commit on branch work');
  });

  test('S31: the time of refs in tables is that of their list', async () => {
    const tables = join(inner, '.git/reftable/tables.list');
    fixture.write(tables, '');
    const workTree = { root: inner, gitDir: join(inner, '.git'), commonDir: join(inner, '.git') };
    const told = () => changedAt({ ...workTree, isLinkedWorktree: false }, null, since);
    await begin();
    expect(await told()).toBeLessThan(since);
    fixture.write(tables, 'a.ref');
    expect(await told()).toBeGreaterThanOrEqual(since);
  });
});
