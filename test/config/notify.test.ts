import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainConfig } from '../../src/config/explain.ts';
import { loadConfig } from '../../src/config/load.ts';
import { NOTIFY_RULE_SETTINGS } from '../../src/config/notify-settings.ts';
import { ProjectTree } from './project-tree.ts';

let tree: ProjectTree;
beforeEach(() => {
  tree = new ProjectTree();
});
afterEach(() => tree.remove());

const load = () => loadConfig({ env: tree.env, cwd: tree.folder('home/repo') });

function loaded() {
  const loading = load();
  if (loading.state === 'broken') throw new Error(JSON.stringify(loading.errors));
  return loading.config;
}

function errors() {
  const loading = load();
  return loading.state === 'broken' ? loading.errors : [];
}

const rules = (content: object) => tree.userFile({ notify: { rules: content } });

describe('the notification rules', () => {
  it.each(Object.entries(NOTIFY_RULE_SETTINGS).map(([key, { about }]) => [key, about] as const))(
    'have for %s a meaning and a reason, and a project file may not set it',
    (_, about) => {
      for (const sentence of [about.means, about.why]) expect(sentence).toMatch(/^[A-Z].{20,}[.…]$/);
      expect(about.projectMay).toBe('nothing');
    },
  );

  it('are none without a file', () => {
    expect(loaded().settings.notify).toEqual({ rules: [], againMs: 600_000, perHour: 60 });
  });

  it('are read from the user’s file, nested or with dots', () => {
    tree.userFile({
      notify: {
        again: '5m',
        perHour: 7,
        rules: {
          desk: { on: ['waiting', 'lost', 'waiting'], desktop: true },
          phone: { on: ['waiting'], only: ['crew-*'], command: ['/bin/tell', '-x'], timeout: '5s' },
        },
      },
      'notify.rules.chat.on': ['pressure'],
      'notify.rules.chat.webhook': 'https://example.org/hook',
      'notify.rules.chat.headerFile': '/home/ada/header',
    });
    expect(loaded().settings.notify).toEqual({
      againMs: 300_000,
      perHour: 7,
      rules: [
        { name: 'desk', on: ['waiting', 'lost'], only: [], sink: { kind: 'desktop' }, timeoutMs: 10_000 },
        {
          ...{ name: 'phone', on: ['waiting'], only: ['crew-*'], timeoutMs: 5000 },
          sink: { kind: 'command', argv: ['/bin/tell', '-x'] },
        },
        {
          ...{ name: 'chat', on: ['pressure'], only: [], timeoutMs: 10_000 },
          sink: { kind: 'webhook', url: 'https://example.org/hook', headerFile: '/home/ada/header' },
        },
      ],
    });
  });

  it('S55: are refused from a project file, so that no cloned repository runs a command', () => {
    tree.projectFile({
      notify: { perHour: 100, rules: { evil: { on: ['waiting'], command: ['/bin/sh', '-c', 'id'] } } },
    });
    const { notices, notify, settings } = loaded();
    expect(notices).toMatchObject([
      {
        code: 'project-config-broken',
        text: expect.stringMatching(/notify\.perHour = 100 may not be set by a project file \(and 2 more\)/),
      },
    ]);
    expect([notify.size, settings.notify.rules]).toEqual([0, []]);
  });

  it.each([
    [{ on: 'waiting', desktop: true }, 'on', 'is not a list of events', '"waiting", "lost"'],
    [{ on: [], desktop: true }, 'on', 'is not a list of events', '"waiting"'],
    [{ on: ['waitin'], desktop: true }, 'on', 'holds an event that there is not', 'did you mean "waiting"?'],
    [{ on: [7], desktop: true }, 'on', 'holds an event that there is not', 'write a list'],
    [{ on: ['lost'], command: 'rm -rf /' }, 'command', 'is not a command line', 'no shell'],
    [{ on: ['lost'], command: [] }, 'command', 'is not a command line', 'list of words'],
    [{ on: ['lost'], webhook: 'chat' }, 'webhook', 'is not a URL', 'https://'],
    [{ on: ['lost'], webhook: 7 }, 'webhook', 'is not a URL', 'https://'],
    [{ on: ['lost'], webhook: 'file:///etc/passwd' }, 'webhook', 'is neither http nor https', 'https://'],
    [{ on: ['lost'], desktop: 'yes' }, 'desktop', 'is not "on" or "off"', '"on" or "off"'],
    [
      { on: ['lost'], webhook: 'https://a', headerFile: 'x' },
      'headerFile',
      'is not an absolute path',
      'from / on',
    ],
    [{ on: ['lost'], desktop: 1, timeout: '1ms' }, 'timeout', 'is below 100ms', 'between 100ms and 5m'],
    [{ on: ['lost'], desktop: 1, only: 'x' }, 'only', 'is not a list', 'patterns'],
    [{ on: ['lost'], dekstop: true }, 'dekstop', 'is no setting', 'did you mean notify.rules.NAME.desktop?'],
  ])('say what is wrong with a value: %j', (rule, key, text, hint) => {
    rules({ desk: rule });
    expect(errors()).toMatchObject([{ key: `notify.rules.desk.${key}`, text }]);
    expect(errors()[0]?.hint).toContain(hint);
  });

  it.each([
    [{ desktop: true }, 'does not say on which events'],
    [{ on: ['lost'] }, 'does not say where to'],
    [{ on: ['lost'], desktop: 'off' }, 'does not say where to'],
    [{ on: ['lost'], desktop: true, command: ['x'] }, 'has command and desktop'],
    [{ on: ['lost'], desktop: true, headerFile: '/x' }, 'has headerFile without webhook'],
  ])('say what is wrong with a rule as a whole: %j', (rule, text) => {
    rules({ desk: rule });
    expect(errors()).toMatchObject([{ key: 'notify.rules.desk', text, hint: expect.stringMatching(/\w/) }]);
  });

  it('take a rule that is switched off beside another way as that other way', () => {
    rules({ desk: { on: ['lost'], desktop: 'off', command: ['x'] } });
    expect(loaded().settings.notify.rules).toMatchObject([{ sink: { kind: 'command' } }]);
  });

  it.each([
    [{ notify: true }, 'notify'],
    [{ notify: { rules: [] } }, 'notify.rules'],
    [{ notify: { rules: { desk: true } } }, 'notify.rules.desk'],
    [{ notify: { rules: { 'a b': { on: ['lost'] } } } }, 'notify.rules.a b.on'],
    [{ notify: { rules: { 'a.b': { on: ['lost'] } } } }, 'notify.rules.a.b.on'],
    [{ notify: { rules: { '': { on: ['lost'] } } } }, 'notify.rules..on'],
  ])('say how a rule is written: %j', (content, key) => {
    tree.userFile(content);
    expect(errors()).toMatchObject([{ key, text: 'is no setting' }]);
    expect(errors()[0]?.hint).toMatch(/notify/);
  });

  it('never show more of a URL than its host, neither explained nor wrong', () => {
    rules({
      chat: { on: ['lost'], webhook: 'https://ada:s3cret@example.org/s3cret?t=s3cret', timeout: '1m' },
    });
    const explained = explainConfig(loaded()).filter(({ key }) => key.startsWith('notify.rules.'));
    expect(explained.map(({ key, kind, value, default: standard }) => [key, kind, value, standard])).toEqual([
      ['notify.rules.chat.on', 'words', ['lost'], 'none'],
      ['notify.rules.chat.webhook', 'url', 'https://example.org/…', 'none'],
      ['notify.rules.chat.timeout', 'duration', '1m', '10s'],
    ]);
    expect(explained[0]?.source).toMatch(/config\.json$/);
    rules({ chat: { on: ['lost'], webhook: 'ftp://s3cret' } });
    expect(JSON.stringify(errors())).not.toContain('s3cret');
  });
});
