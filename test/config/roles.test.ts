import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainConfig } from '../../src/config/explain.ts';
import { type LoadedConfig, loadConfig } from '../../src/config/load.ts';
import { ROLE_SETTINGS } from '../../src/config/role-settings.ts';
import { parseValue } from '../../src/config/setting.ts';
import { rolePolicy } from '../../src/core/verdict/policy.ts';
import { ProjectTree } from './project-tree.ts';

const MINUTE = 60_000;
let tree: ProjectTree;
beforeEach(() => {
  tree = new ProjectTree();
});
afterEach(() => tree.remove());

const load = () => loadConfig({ env: tree.env, cwd: tree.folder('home/repo') });

function loaded(): LoadedConfig {
  const loading = load();
  if (loading.state === 'broken') throw new Error(JSON.stringify(loading.errors));
  return loading.config;
}

function errors() {
  const loading = load();
  return loading.state === 'broken' ? loading.errors : [];
}

const policy = (role: string | null) => rolePolicy(loaded().settings, role);

const DEFAULTS = {
  onComplete: 'retain',
  retainForMs: 10 * MINUTE,
  idleAfterMs: null,
  requires: [],
  commands: [],
  commandTimeoutMs: 5 * MINUTE,
};

describe('the settings of roles', () => {
  it.each(Object.entries(ROLE_SETTINGS).map(([key, { about }]) => [key, about] as const))(
    'have for %s a default within its bounds, a meaning and a reason',
    (_, about) => {
      if (about.default !== null) expect(parseValue(about, about.default)).toMatchObject({ isValid: true });
      for (const sentence of [about.means, about.why]) expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
    },
  );

  it('are the defaults for every session, without a file', () => {
    const { settings } = loaded();
    expect(settings.roles.size).toBe(0);
    expect(settings.defaultRole).toEqual(DEFAULTS);
    expect(settings.policy).toMatchObject({ roles: settings.roles, defaultRole: settings.defaultRole });
  });

  it('are read from the user’s file, nested or with dots', () => {
    tree.userFile({
      roles: {
        worker: {
          onComplete: 'close-after-idle',
          idleAfter: '5m',
          requires: ['pushed', 'clean', 'pushed'],
          commands: [['npm', 'test'], ['true']],
          commandTimeout: '1m',
        },
      },
      'roles.qa.lead.retainFor': '2h',
    });
    expect(policy('worker')).toEqual({
      onComplete: 'close-after-idle',
      retainForMs: 10 * MINUTE,
      idleAfterMs: 5 * MINUTE,
      requires: ['pushed', 'clean'],
      commands: [['npm', 'test'], ['true']],
      commandTimeoutMs: MINUTE,
    });
    expect(policy('qa.lead')).toEqual({ ...DEFAULTS, retainForMs: 120 * MINUTE });
    expect(policy('other')).toEqual(DEFAULTS);
    expect(policy(null)).toEqual(DEFAULTS);
  });

  it('of every role hold for those that say nothing else, and for sessions without one', () => {
    tree.userFile({
      roles: { '*': { retainFor: '1h', onComplete: 'keep' }, worker: { onComplete: 'retain' } },
    });
    expect(policy(null)).toMatchObject({ retainForMs: 60 * MINUTE, onComplete: 'keep' });
    expect(policy('worker')).toMatchObject({ retainForMs: 60 * MINUTE, onComplete: 'retain' });
    expect(loaded().settings.roles.has('*')).toBe(false);
  });

  it.each([
    [
      { onComplete: 'close' },
      'onComplete',
      'is none of its words',
      /"close-after-idle" or "retain" or "keep"/,
    ],
    [{ onComplete: ['keep'] }, 'onComplete', 'is none of its words', /"keep"/],
    [{ retainFor: '31d' }, 'retainFor', 'is above 30d', /between 0s and 30d/],
    [{ retainFor: 'long' }, 'retainFor', 'is not a duration', /"45m"/],
    [{ idleAfter: '1s' }, 'idleAfter', 'is below 1m', /between 1m/],
    [{ requires: 'clean' }, 'requires', 'is not a list', /"clean", "pushed"/],
    [{ requires: ['tests'] }, 'requires', 'holds a word that it does not know', /"clean", "pushed"/],
    [{ commands: 'npm test' }, 'commands', 'is not a list', /\[\["npm", "test"\]\]/],
    [{ commands: ['npm test'] }, 'commands', 'holds something that is not a command line', /\[\["npm"/],
    [{ commands: [[]] }, 'commands', 'holds something that is not a command line', /\[\["npm"/],
    [{ commands: [['']] }, 'commands', 'holds something that is not a command line', /\[\["npm"/],
    [{ commands: [['a\0b']] }, 'commands', 'holds something that is not a command line', /\[\["npm"/],
    [{ commands: [['a', 1]] }, 'commands', 'holds something that is not a command line', /\[\["npm"/],
    [{ commands: Array(21).fill(['true']) }, 'commands', 'has more than 20 commands', /\[\["npm"/],
    [{ commandTimeout: '1ms' }, 'commandTimeout', 'is below 1s', /between 1s/],
    [{ retianFor: '1h' }, 'retianFor', 'is no setting', /did you mean roles\.NAME\.retainFor\?/],
    [{ colour: 'red' }, 'colour', 'is no setting', /the settings of a role are onComplete, /],
  ])('%j names file, key and what to do', (content, key, text, hint) => {
    const file = tree.userFile({ roles: { worker: content } });
    expect(errors()).toEqual([
      {
        ...{ file, key: `roles.worker.${key}`, value: expect.any(String) },
        ...{ text, hint: expect.stringMatching(hint) },
      },
    ]);
  });

  it.each([
    [{ roles: [] }, 'roles'],
    [{ roles: { worker: 5 } }, 'roles.worker'],
    [{ roles: { 'a b': { retainFor: '1h' } } }, 'roles.a b.retainFor'],
    [{ roles: { '**': { retainFor: '1h' } } }, 'roles.**.retainFor'],
    [{ 'roles.retainFor': '1h' }, 'roles.retainFor'],
    [{ roles: { __proto__x: {}, constructor: 1 } }, 'roles.constructor'],
  ])('%j is no role', (content, key) => {
    tree.userFile(content);
    expect(errors()).toMatchObject([{ key, text: 'is no setting', hint: expect.stringContaining('roles') }]);
  });

  it('are not set twice', () => {
    tree.userFile({ roles: { a: { retainFor: '1h' } }, 'roles.a.retainFor': '2h' });
    expect(errors()).toMatchObject([
      { key: 'roles.a.retainFor', text: 'is set twice, nested and with a dot' },
    ]);
  });
});

describe('a project file', () => {
  it.each([
    ['onComplete', 'keep', { onComplete: 'keep' }],
    ['retainFor', '2h', { retainForMs: 120 * MINUTE }],
    ['idleAfter', '2h', { idleAfterMs: 120 * MINUTE }],
    ['requires', ['clean'], { requires: ['clean'] }],
  ])('may make a role more careful: %s', (key, value, expected) => {
    const file = tree.projectFile({ roles: { worker: { [key]: value } } });
    const config = loaded();
    expect(config.settings.roles.get('worker')).toEqual({ ...DEFAULTS, ...expected });
    expect(config.sources.get(`roles.worker.${key}`)).toEqual([file]);
    expect(config.notices).toEqual([]);
  });

  it.each([
    ['onComplete', 'close-after-idle', 'close-after-idle', 'retain'],
    ['retainFor', '5m', '5m', '10m'],
    ['retainFor', 0, '0s', '10m'],
    ['idleAfter', '30m', '30m', '45m'],
  ])('may never make one less careful: %s = %s', (key, value, asked, kept) => {
    const file = tree.projectFile({ roles: { worker: { [key]: value } } });
    const config = loaded();
    expect(config.settings.roles.size).toBe(0);
    expect(config.notices).toEqual([
      {
        code: 'config-overruled',
        text: `${file} asks for roles.worker.${key} = ${asked}; ${kept} stays`,
        hint: 'a project file may only raise it: set it in your own config file',
      },
    ]);
  });

  it('is measured against what the user set for the role, or for every role', () => {
    tree.userFile({
      roles: { '*': { retainFor: '1h' }, worker: { onComplete: 'close-after-idle', requires: ['clean'] } },
    });
    tree.projectFile({
      roles: {
        worker: { retainFor: '30m', onComplete: 'retain', requires: ['pushed'] },
        other: { retainFor: '2h' },
      },
    });
    const { settings, notices } = loaded();
    expect(settings.roles.get('worker')).toMatchObject({
      ...{ retainForMs: 60 * MINUTE, onComplete: 'retain', requires: ['clean', 'pushed'] },
    });
    expect(settings.roles.get('other')).toMatchObject({ retainForMs: 120 * MINUTE });
    expect(notices.map(({ text }) => text)).toEqual([
      expect.stringContaining('roles.worker.retainFor = 30m; 1h stays'),
    ]);
  });

  it('takes nothing away from what is required, and asks for nothing twice', () => {
    tree.userFile({ roles: { worker: { requires: ['clean'], retainFor: '1h' } } });
    tree.projectFile({ roles: { worker: { requires: [], retainFor: '1h' } } });
    const { settings, notices } = loaded();
    expect(settings.roles.get('worker')).toMatchObject({ requires: ['clean'] });
    expect(notices).toEqual([]);
  });

  it.each([
    ['commands', [['rm', '-rf', '/']]],
    ['commands', []],
    ['commandTimeout', '1d'],
  ])('may not set %s at all: it concerns the machine', (key, value) => {
    tree.projectFile({ roles: { worker: { [key]: value } } });
    const { notices, roles } = loaded();
    expect(notices).toMatchObject([
      {
        code: 'project-config-broken',
        text: expect.stringMatching(
          new RegExp(`roles\\.worker\\.${key} = .* may not be set by a project file`),
        ),
      },
    ]);
    expect(roles.size).toBe(0);
  });
});

describe('explained', () => {
  it('every role setting has its value, its source and its bounds', () => {
    const own = tree.userFile({
      idleAfter: '1h',
      roles: { '*': { retainFor: '1h' }, b: { commands: [['x']] } },
    });
    const project = tree.projectFile({ roles: { b: { requires: ['clean'] }, a: { onComplete: 'keep' } } });
    const shown = explainConfig(loaded()).filter(({ key }) => key.startsWith('roles.'));
    expect(shown.map(({ key, value, default: standard, source }) => [key, value, standard, source])).toEqual([
      ['roles.*.onComplete', 'retain', 'retain', 'default'],
      ['roles.*.retainFor', '1h', '10m', own],
      ['roles.*.idleAfter', '1h', '1h', 'default'],
      ['roles.*.requires', [], [], 'default'],
      ['roles.*.commands', [], [], 'default'],
      ['roles.*.commandTimeout', '5m', '5m', 'default'],
      ['roles.a.onComplete', 'keep', 'retain', project],
      ['roles.b.requires', ['clean'], [], project],
      ['roles.b.commands', [['x']], [], own],
    ]);
    expect(shown[0]?.bounds).toEqual({ min: 'close-after-idle', max: 'keep' });
    expect(shown[1]?.bounds).toEqual({ min: '0s', max: '30d' });
    expect(shown[3]?.bounds).toEqual({ min: 0, max: 2 });
  });
});
