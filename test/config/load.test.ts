import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainConfig } from '../../src/config/explain.ts';
import type { LoadedConfig, LoadOptions } from '../../src/config/load.ts';
import { loadConfig } from '../../src/config/load.ts';
import { defaultValues, toSettings } from '../../src/config/settings.ts';
import { SETTINGS } from '../../src/config/settings-table.ts';
import { ProjectTree } from './project-tree.ts';

let tree: ProjectTree;
beforeEach(() => {
  tree = new ProjectTree();
});
afterEach(() => tree.remove());

const load = (options: Partial<LoadOptions> = {}) =>
  loadConfig({ env: tree.env, cwd: tree.folder('home/repo'), ...options });

function loaded(options: Partial<LoadOptions> = {}): LoadedConfig {
  const loading = load(options);
  if (loading.state === 'broken') throw new Error(JSON.stringify(loading.errors));
  return loading.config;
}

function errors(options: Partial<LoadOptions> = {}) {
  const loading = load(options);
  return loading.state === 'broken' ? loading.errors : [];
}

describe('without a file', () => {
  it('every setting has its default', () => {
    const config = loaded();
    expect(config.settings).toEqual({ ...toSettings(defaultValues()), written: '[null,null]' });
    expect(config.sources.size).toBe(0);
    expect(config.files).toEqual([
      { path: join(tree.home, '.config/rollcall/config.json'), via: 'user', isPresent: false },
    ]);
  });
});

describe('the user’s file', () => {
  it('is read from ~/.config, nested or with dots', () => {
    tree.userFile({ idleAfter: '1h', tmux: { timeout: '5s' }, 'git.parallel': 2 });
    const { settings } = loaded();
    expect(settings.policy.idleAfterMs).toBe(3_600_000);
    expect(settings.tmux.timeoutMs).toBe(5000);
    expect(settings.git.parallel).toBe(2);
    expect(settings.policy.exitedAfterMs).toBe(60_000);
  });

  it('is read from XDG_CONFIG_HOME when that is absolute', () => {
    tree.userFile({ idleAfter: '1h' });
    tree.file('xdg/rollcall/config.json', { idleAfter: '2h' });
    const at = (value: string) =>
      loaded({ env: { ...tree.env, XDG_CONFIG_HOME: value } }).settings.policy.idleAfterMs;
    expect(at(tree.folder('xdg'))).toBe(7_200_000);
    expect(at('relative/xdg')).toBe(3_600_000);
    expect(at('')).toBe(3_600_000);
  });

  it('gives way to $ROLLCALL_CONFIG, and that to --config', () => {
    tree.userFile({ idleAfter: '1h' });
    const named = tree.file('named.json', { idleAfter: '2h' });
    tree.file('home/repo/flag.json', { idleAfter: '3h' });
    const env = { ...tree.env, ROLLCALL_CONFIG: named };
    expect(loaded({ env }).settings.policy.idleAfterMs).toBe(7_200_000);
    expect(loaded({ env, path: 'flag.json' }).settings.policy.idleAfterMs).toBe(10_800_000);
    expect(loaded({ env: { ...tree.env, ROLLCALL_CONFIG: '' } }).settings.policy.idleAfterMs).toBe(3_600_000);
  });

  it('may weaken what the defaults say, within the bounds: it is the user’s own', () => {
    tree.userFile({ idleAfter: '1m', confirmFor: '1s' });
    expect(loaded().settings.policy).toMatchObject({ idleAfterMs: 60_000, confirmMs: 1000 });
    expect(loaded().notices).toEqual([]);
  });

  it('may begin with a byte order mark', () => {
    tree.userFile('\ufeff{"idleAfter":"1h"}');
    expect(loaded().settings.policy.idleAfterMs).toBe(3_600_000);
  });
});

describe('a broken file', () => {
  it.each([
    ['', 'is empty'],
    [' \n', 'is empty'],
    ['{"idleAfter":"1h",}', 'is not valid JSON'],
    ['// mine\n{}', 'is not valid JSON'],
    ['[]', 'holds no JSON object'],
    ['"idleAfter"', 'holds no JSON object'],
    ['null', 'holds no JSON object'],
    [`{"protect":["${'x'.repeat(300_000)}"]}`, 'is not a regular file of at most 256 KiB'],
  ])('%.20j is refused, never replaced by defaults', (text, problem) => {
    const file = tree.userFile(text);
    expect(errors()).toEqual([
      { file, key: null, value: null, text: expect.stringContaining(problem), hint: expect.any(String) },
    ]);
  });

  it.each([
    [{ idleAfter: '5s' }, 'idleAfter', '"5s"', 'is below 1m'],
    [{ idleAfter: '400d' }, 'idleAfter', '"400d"', 'is above 30d'],
    [{ idleAfter: null }, 'idleAfter', 'null', 'is not a duration'],
    [{ idleAfter: { minutes: 5 } }, 'idleAfter.minutes', '5', 'is no setting'],
    [{ protect: 'crew-*' }, 'protect', '"crew-*"', 'is not a list'],
    [{ tmux: '2s' }, 'tmux', '"2s"', 'is no setting'],
    [{ tmux: { timeout: '1h' } }, 'tmux.timeout', '"1h"', 'is above 30s'],
    [
      { git: { timeout: '2s' }, 'git.timeout': '3s' },
      'git.timeout',
      '"3s"',
      'is set twice, nested and with a dot',
    ],
    [{ protect: [['a']] }, 'protect', '[…]', 'holds something that is not a string'],
    [{ constructor: 1 }, 'constructor', '1', 'is no setting'],
  ])('%j names key, value and what is wrong', (content, key, value, text) => {
    const file = tree.userFile(content);
    expect(errors()).toEqual([{ file, key, value, text, hint: expect.any(String) }]);
  });

  it('gets a suggestion for an unknown key, or all keys when none is near', () => {
    tree.userFile({ idleAftre: '1h', tmux: { timeot: '1s' }, colour: 'red' });
    expect(errors().map((error) => error.hint)).toEqual([
      'did you mean idleAfter?',
      'did you mean tmux.timeout?',
      expect.stringMatching(
        /^the settings are freshFor, idleAfter, .*watch\.every, pressure\..* and those of roles$/,
      ),
    ]);
  });

  it('does not pollute a prototype, nor overflow on deep nesting', () => {
    tree.userFile(
      `{"__proto__":{"idleAfter":"1h"},"a":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)},"protect":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    );
    expect(errors().map((error) => error.key)).toEqual(['__proto__.idleAfter', 'a.a.a.a', 'protect']);
    expect(({} as Record<string, unknown>).idleAfter).toBeUndefined();
  });

  it('that was named has to exist', () => {
    expect(errors({ path: 'none.json' })).toMatchObject([
      { text: 'does not exist', hint: expect.stringContaining('--config') },
    ]);
    expect(errors({ env: { ...tree.env, ROLLCALL_CONFIG: '/none/here.json' } })).toMatchObject([
      { file: '/none/here.json', text: 'does not exist', hint: expect.stringContaining('$ROLLCALL_CONFIG') },
    ]);
  });

  it('that is a folder is refused', () => {
    expect(errors({ path: tree.folder('home') })).toMatchObject([
      { text: 'is not a regular file of at most 256 KiB' },
    ]);
  });

  it('of the user breaks the loading, whatever the project’s is like', () => {
    const file = tree.userFile({ idleAfter: '1s' });
    tree.projectFile('{');
    expect(errors()).toMatchObject([{ file, key: 'idleAfter' }]);
  });
});

describe('the project’s file', () => {
  it.each([
    ['raise', 'idleAfter', '2h', 7_200_000],
    ['raise', 'exitedAfter', '2m', 120_000],
    ['raise', 'confirmFor', '20s', 20_000],
    ['raise', 'hungAfter', '1d', 86_400_000],
    ['raise', 'startingFor', '10s', 10_000],
    ['raise', 'recentInput', '5m', 300_000],
    ['lower', 'freshFor', '5s', 5000],
    ['lower', 'workingCpuPercent', 5, 5],
    ['lower', 'workingIoPerSecond', '1KiB', 1024],
  ] as const)('may %s %s: that is more careful', (_, key, written, value) => {
    const file = tree.projectFile({ [key]: written });
    const config = loaded();
    expect(config.values[key]).toBe(value);
    expect(config.sources.get(key)).toEqual([file]);
    expect(config.notices).toEqual([]);
  });

  it.each([
    ['raise', 'idleAfter', '10m'],
    ['raise', 'exitedAfter', '30s'],
    ['raise', 'confirmFor', '5s'],
    ['raise', 'hungAfter', '1h'],
    ['raise', 'startingFor', '1s'],
    ['raise', 'recentInput', '1m'],
    ['lower', 'freshFor', '1m'],
    ['lower', 'workingCpuPercent', 90],
    ['lower', 'workingIoPerSecond', '1MiB'],
  ] as const)('may only %s %s: anything less careful is overruled, and that is said', (may, key, written) => {
    const file = tree.projectFile({ [key]: written });
    const config = loaded();
    expect(config.values).toEqual(defaultValues());
    expect(config.sources.size).toBe(0);
    expect(config.notices).toEqual([
      {
        code: 'config-overruled',
        text: expect.stringMatching(`^${file} asks for ${key} = .+ stays$`),
        hint: `a project file may only ${may} it: set it in your own config file`,
      },
    ]);
  });

  it('is measured against what the user set, not against the default', () => {
    tree.userFile({ idleAfter: '3h', confirmFor: '2s' });
    tree.projectFile({ idleAfter: '2h', confirmFor: '4s' });
    const { settings, notices } = loaded();
    expect(settings.policy).toMatchObject({ idleAfterMs: 10_800_000, confirmMs: 4000 });
    expect(notices).toHaveLength(1);
  });

  it('may say together with the user more than one file may say', () => {
    const many = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`);
    tree.userFile({ protect: many('own', 150) });
    tree.projectFile({ protect: many('project', 200) });
    expect(loaded().settings.protect).toHaveLength(350);
  });

  it('adds to the protections of the user and never takes one away', () => {
    const own = tree.userFile({ protect: ['crew-*', 'main'] });
    const project = tree.projectFile({ protect: ['main', 'review-*'] });
    const config = loaded();
    expect(config.settings.protect).toEqual(['crew-*', 'main', 'review-*']);
    expect(config.sources.get('protect')).toEqual([own, project]);
    tree.projectFile({ protect: [] });
    expect(loaded().settings.protect).toEqual(['crew-*', 'main']);
  });

  it.each(
    Object.entries(SETTINGS).flatMap(([key, { about }]) => (about.projectMay === 'nothing' ? [key] : [])),
  )('may not set %s at all: it concerns the machine', (key) => {
    tree.projectFile({ [key]: '1s' });
    const { notices, values } = loaded();
    expect(notices).toMatchObject([
      {
        code: 'project-config-broken',
        text: expect.stringContaining(`${key} = "1s" may not be set by a project file`),
      },
    ]);
    expect(values).toEqual(defaultValues());
  });

  it('is found from a folder below the root of the repository', () => {
    tree.projectFile({ idleAfter: '2h' });
    expect(loaded({ cwd: tree.folder('home/repo/src/deep') }).settings.policy.idleAfterMs).toBe(7_200_000);
  });

  it('is looked for no further up than the root of the repository', () => {
    tree.file('home/.rollcall.json', { idleAfter: '2h' });
    tree.folder('home/repo/.git');
    expect(loaded().files).toHaveLength(1);
  });

  it('is looked for no further up than home', () => {
    tree.folder('.git');
    tree.file('.rollcall.json', { idleAfter: '2h' });
    expect(loaded({ cwd: tree.folder('home/plain/folder') }).files).toHaveLength(1);
    const inHome = tree.file('home/.rollcall.json', { idleAfter: '2h' });
    expect(loaded({ cwd: tree.folder('home/plain/folder') }).files[1]?.path).toBe(inHome);
  });

  it('outside home and repositories is only looked for in the current folder', () => {
    const file = tree.file('elsewhere/.rollcall.json', { idleAfter: '2h' });
    expect(loaded({ cwd: tree.folder('elsewhere/below') }).files).toHaveLength(1);
    expect(loaded({ cwd: tree.folder('elsewhere') }).files).toContainEqual({
      path: file,
      via: 'project',
      isPresent: true,
    });
  });

  it('that is nearer wins over one further up', () => {
    tree.projectFile({ idleAfter: '2h' });
    tree.file('home/repo/part/.rollcall.json', { idleAfter: '3h' });
    expect(loaded({ cwd: tree.folder('home/repo/part') }).settings.policy.idleAfterMs).toBe(10_800_000);
  });

  it('of a worktree, whose .git is a file, is found too', () => {
    tree.file('home/tree/.git', 'gitdir: elsewhere');
    tree.file('home/tree/.rollcall.json', { idleAfter: '2h' });
    expect(loaded({ cwd: tree.folder('home/tree/src') }).settings.policy.idleAfterMs).toBe(7_200_000);
  });

  it('that is a link to a device or to nothing is refused at once, without hanging', () => {
    const file = tree.projectFile({});
    for (const [target, text] of [
      ['/dev/zero', 'is not a regular file of at most 256 KiB'],
      ['/dev/null', 'is not a regular file of at most 256 KiB'],
      ['/none/at/all', 'is a link to nothing'],
    ] as const) {
      unlinkSync(file);
      symlinkSync(target, file);
      expect(loaded().notices).toMatchObject([{ text: expect.stringContaining(`${file} ${text}`) }]);
    }
  });

  it('that the user names with --config is the user’s own then', () => {
    const file = tree.projectFile({ idleAfter: '10m', tmux: { timeout: '1s' } });
    expect(loaded({ path: '.rollcall.json' }).files).toEqual([
      { path: file, via: '--config', isPresent: true },
    ]);
    expect(loaded({ path: '.rollcall.json' }).settings.policy.idleAfterMs).toBe(600_000);
  });
});

describe('config explain', () => {
  it('shows every setting with value, default, source, bounds and reason, as a file would write them', () => {
    const own = tree.userFile({ idleAfter: 3_600_000, protect: ['a'] });
    const project = tree.projectFile({ workingIoPerSecond: 2048, protect: ['b'] });
    const explained = explainConfig(loaded());
    const keys = explained.map((setting) => setting.key).filter((key) => !key.startsWith('roles.'));
    expect(keys).toEqual(Object.keys(SETTINGS));
    const of = (key: string) => explained.find((setting) => setting.key === key);
    expect(of('idleAfter')).toMatchObject({
      value: '1h',
      default: '45m',
      source: own,
      bounds: { min: '1m', max: '30d' },
    });
    expect(of('workingIoPerSecond')).toMatchObject({ value: '2KiB', default: '256KiB', source: project });
    expect(of('protect')).toMatchObject({ value: ['a', 'b'], default: [], source: `${own} + ${project}` });
    expect(of('git.parallel')).toMatchObject({ value: 4, source: 'default', projectMay: 'nothing' });
  });
});
