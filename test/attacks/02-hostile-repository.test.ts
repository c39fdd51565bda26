import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createGitSensor } from '../../src/adapters/git/git-sensor.ts';
import { readTreeState } from '../../src/adapters/git/tree-state.ts';
import { ClaudeStandIn } from '../laws/claude-stand-in.ts';
import { hasWorlds, World } from '../laws/world.ts';
import { ROLLCALL } from '../support/command.ts';
import { until } from '../support/until.ts';
import { HostileRepository } from './hostile-repository.ts';

/** What a plain `git status` in a repository runs. */
const BY_STATUS = [
  ...['clean', 'conditional', 'equals', 'fsmonitor', 'hook', 'included', 'odd', 'ofWorktree', 'process'],
];

/** What else git runs, by the command that makes it. */
const BY_COMMAND: readonly (readonly [string, readonly string[]])[] = [
  ['diff', ['diff']],
  ['textconv', ['log', '-p']],
  ['gpg', ['log']],
  ['editor', ['commit', '--allow-empty']],
  ['ssh', ['ls-remote', 'ssh://nowhere.example.org/x']],
  ['proxy', ['ls-remote', 'git://nowhere.example.org/x']],
  ['credential', ['credential', 'fill']],
  ['askpass', ['credential', 'fill']],
  ['alias', ['evil']],
  ['insteadof', ['ls-remote', 'other']],
  ['uploadpack', ['ls-remote', 'lazy']],
  ['submodule', ['submodule', 'update', '--force', 'sub']],
  ['shadowed', ['-c', 'core.fsmonitor=false', 'status']],
];

describe('a repository that tries to run programs', () => {
  let folder: string;
  let hostile: HostileRepository;
  /** The repository's own programs come first in the PATH of whoever stands in its folder. */
  let env: NodeJS.ProcessEnv;
  beforeAll(() => {
    folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'hostile-'));
    hostile = new HostileRepository(folder);
    env = carelessEnv(hostile);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => {
    hostile.witnesses();
  });

  test('S55: every trap works when git is called without care, at every depth', () => {
    for (const [place, root] of Object.entries(hostile.places)) {
      hostile.touch();
      hostile.careless(root, ['status']);
      // What the monitor does not name as changed is not looked at.
      hostile.careless(root, ['-c', 'core.fsmonitor=false', 'status']);
      // A linked work tree has the traps of its repository, but for those of its own config.
      const of = (way: string) => (place === 'linked' && way !== 'ofWorktree' ? 'top' : place);
      const expected = BY_STATUS.map((way) => `${of(way)}-${way}`).filter((name) => name !== 'top-equals');
      expect(hostile.witnesses()).toEqual(expect.arrayContaining(expected));
    }
    hostile.touch();
    hostile.careless(hostile.root, ['status']);
    const deep = ['sub-clean', 'sub-fsmonitor', 'deep-clean', 'deep-equals', 'deep-process'];
    expect(hostile.witnesses()).toEqual(expect.arrayContaining(deep));
    for (const [way, args] of BY_COMMAND) {
      hostile.touch();
      hostile.careless(hostile.root, args);
      expect([way, hostile.witnesses().includes(`top-${way}`)]).toEqual([way, true]);
    }
    // A pager is only for terminals.
    const TERM = 'xterm';
    hostile.careless(hostile.root, ['-qec', 'git log; git status', '/dev/null'], { TERM }, 'script');
    expect(hostile.witnesses()).toEqual(expect.arrayContaining(['top-pager', 'top-pager-status']));
    hostile.careless(join(hostile.root, 'ignored/bare'), ['status']);
    expect(hostile.witnesses()).toContain('bare-fsmonitor');
    const PATH = `.:${hostile.env.PATH}`;
    const real = join(hostile.git(hostile.root, '--exec-path'), 'git');
    hostile.careless(hostile.root, ['status'], { PATH });
    hostile.careless(hostile.root, ['ls-remote', 'foreign'], { PATH }, real);
    expect(hostile.witnesses()).toEqual(expect.arrayContaining(['path-git', 'path-git-remote-evil']));
    hostile.careless(hostile.root, ['-c', 'filter.lfs.clean=git-lfs clean', 'status'], { PATH }, real);
    expect(hostile.witnesses()).toContain('path-git-lfs');
  });

  test('S55: runs nothing when the sensor looks, and still sees every change', async () => {
    hostile.touch();
    const sensor = createGitSensor({ env, now: Date.now, timeoutMs: 20_000 });
    const sightings = await sensor.sense([
      ...Object.values(hostile.places),
      join(hostile.root, 'ignored/bare'),
    ]);
    expect(hostile.witnesses()).toEqual([]);
    for (const sighting of sightings) {
      expect(sighting).toMatchObject({ state: 'repository' });
      expect(sighting.state === 'repository' && sighting.dirtyFiles).toBeGreaterThanOrEqual(7);
    }
    const [top] = sightings;
    const paths = top?.state === 'repository' ? top.below?.unsaved.map(({ path }) => path) : [];
    expect(paths).toEqual(expect.arrayContaining(['sub', 'sub/deep', 'nested', 'ignored/far/inner']));
  });

  test('S55: runs nothing when the gate asks for the state of the tree', async () => {
    hostile.touch();
    for (const root of Object.values(hostile.places)) {
      const state = await readTreeState({ env, timeoutMs: 20_000 }, root);
      expect(state.state === 'unknown' ? state.text : 'known').toMatch(/^known$|repository of its own/);
    }
    expect(hostile.witnesses()).toEqual([]);
  });

  test('S55: a work tree that its config says is elsewhere is not known', async () => {
    const root = join(folder, 'moved');
    hostile.git(folder, 'clone', '-q', join(folder, 'deep.origin'), 'moved');
    hostile.git(root, 'config', 'core.worktree', join(folder, 'deep.origin'));
    const [sighting] = await createGitSensor({ env, now: Date.now, timeoutMs: 20_000 }).sense([root]);
    expect(sighting).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('says that its files are in'),
    });
  });
});

describe.skipIf(!hasWorlds)('the whole command', () => {
  test('S55: runs nothing of a repository, whichever command looks, with the daemon and without', async () => {
    const world = await World.open();
    try {
      const hostile = new HostileRepository(join(world.folder, 'home'));
      const env = carelessEnv(hostile);
      const { places, root } = hostile;
      for (const [name, cwd] of Object.entries(places)) {
        await world.tmux('new-session', '-d', '-s', name, '-c', cwd, 'sleep', '1000');
      }
      await ClaudeStandIn.start(world, 'agent', root);
      const run = (argv: readonly string[]) =>
        world.run(['env', '-C', root, ...ROLLCALL.split(' '), ...argv], env);
      const look = async (...commands: readonly (readonly string[])[]) => {
        hostile.touch();
        const ran = await Promise.all(commands.map(run));
        expect([commands, hostile.witnesses()]).toEqual([commands, []]);
        return ran.map(({ stdout, stderr }) => stdout + stderr);
      };
      // On a busy machine git may not answer in time, which is told as unknown.
      const explained = (...names: string[]) =>
        until(
          'git has answered',
          () => look(...names.map((name) => ['explain', name])),
          (texts) => texts.every((text) => text.includes('not committed')),
        );
      await explained(...Object.keys(places));
      await look(['gate', 'start', 'agent', '--until', 'clean', '--until', 'pushed'], [], ['status']);
      const [gates] = await look(
        ['gate', 'status'],
        ['doctor'],
        ['reap', 'report'],
        ['reap', 'now', '--dry-run'],
      );
      expect(gates).toContain('clean');
      await look(['up']);
      await look(['explain', 'agent'], [], ['guard', 'agent', '--budget', '1s', '--timeout', '1s']);
      await explained('agent');
      await look(['complete', 'agent'], ['log'], ['close', 'agent', '--dry-run']);
      await look(['close', 'agent', '--force', '--yes']);
      expect(await world.names()).not.toContain('agent');
      await look(['down']);
    } finally {
      await world.close();
    }
  });
});

/** What somebody may have in their environment who came from a hook, an alias or a careless profile. */
function carelessEnv(hostile: HostileRepository): NodeJS.ProcessEnv {
  const trap = (way: string) => hostile.trap(`env-${way}`);
  return {
    ...hostile.env,
    PATH: `:.:${hostile.env.PATH}`,
    ...{ GIT_EXTERNAL_DIFF: trap('diff'), GIT_PAGER: trap('pager'), GIT_EDITOR: trap('editor') },
    ...{ GIT_SSH_COMMAND: trap('ssh'), GIT_ASKPASS: trap('askpass'), GIT_PROXY_COMMAND: trap('proxy') },
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${trap('parameters')}'`,
    ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: trap('count') },
    GIT_WORK_TREE: '/',
  };
}
