import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codexCommand } from '../../../../src/adapters/agents/codex/command-line.ts';
import {
  createTitleSettings,
  DEFAULT_ITEMS,
  type TitleSettings,
} from '../../../../src/adapters/agents/codex/settings.ts';
import { signOfTitle } from '../../../../src/adapters/agents/codex/title.ts';
import { recorded, temporaryFolder } from './fixtures.ts';

const BASE = { observedAt: 7, isVerified: true };
const DEFAULT: TitleSettings = { animations: 'on', items: DEFAULT_ITEMS };
const factsOf = (title: string, settings = DEFAULT, folder: string | null = '/home/dev/repo/codex') => {
  const sign = signOfTitle(title, { settings, folder: folder ?? undefined }, BASE);
  if (sign === null) return null;
  expect(sign).toMatchObject({ source: 'title', isLive: true, ...BASE });
  return sign.waitingFor === undefined ? sign.turn : [sign.turn, sign.waitingFor];
};

describe('a recorded title', () => {
  test.each([
    ['idle-fresh', 'over'],
    ['idle', 'over'],
    ['working', 'running'],
    ['stall', 'running'],
    ['retrying', 'running'],
    ['mcp-starting', 'running'],
    ['ask', ['running', 'permission']],
    ['question', ['running', 'permission']],
    ['custom-title-working', 'running'],
    ['hook-review', null],
    ['trust', null],
    ['login', null],
  ])('%s', (name, facts) => expect(factsOf(recorded(name).title)).toEqual(facts));

  test('S10: without animations tells nothing of a turn that is not shown', () => {
    const { title } = recorded('animations-off-working');
    expect(factsOf(title, { ...DEFAULT, animations: 'off' })).toBeNull();
  });
});

describe('a title without a spinner', () => {
  test('is believed only where it names the project', () => {
    expect(factsOf('Fix it | repo')).toBe('over');
    for (const title of ['', 'host', 'bash', 'codex | elsewhere', 'codex-2'])
      expect(factsOf(title)).toBeNull();
    expect(factsOf('codex', DEFAULT, null)).toBeNull();
  });

  test('is believed only where a spinner would be drawn', () => {
    expect(factsOf('codex', { animations: 'on', items: ['project-name'] })).toBeNull();
    expect(factsOf('codex', { animations: 'on', items: null })).toBeNull();
    expect(factsOf('x', { animations: 'on', items: ['activity', 'model'] })).toBeNull();
  });

  test('tells the state by name where it was set up so, without animations too', () => {
    const items = ['activity', 'run-state', 'thread-id', 'project-name'];
    for (const animations of ['on', 'off'] as const) {
      expect(factsOf('Ready | 01a1de20-5dae-7dc0-92a0-1a913... | codex', { animations, items })).toBe('over');
      for (const state of ['Working', 'Thinking', 'Starting', 'Waiting'])
        expect(factsOf(`${state} | 01a1de20-5dae… | codex`, { animations, items })).toBeNull();
    }
    expect(factsOf('Ready', { animations: 'off', items: ['run-state', 'project-name'] })).toBeNull();
  });

  test('S54: is shown without its control characters', () => {
    const sign = signOfTitle('\u280b \x1b]0;x\x07\u202e', { settings: DEFAULT, folder: '/' }, BASE);
    expect(sign?.text).not.toMatch(/[\x00-\x1f\u202e]/);
  });
});

describe('the settings of a title', () => {
  const folder = temporaryFolder();
  const read = (config: string, argv: string[] = [], name = 'home/config.toml') => {
    const path = join(folder.path, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, config);
    const command = codexCommand(['codex', ...argv]);
    const cwd = join(folder.path, 'repo/sub');
    if (command === null) throw new Error('not Codex');
    return createTitleSettings(() => 0)(command, join(folder.path, 'home'), cwd);
  };

  test.each([
    ['', DEFAULT],
    ['[tui]\nanimations = true # yes\n', DEFAULT],
    ['# tui.animations = false\n', DEFAULT],
    ['[tui]\nanimations = false\n', { ...DEFAULT, animations: 'off' }],
    ['[tui]\n"animations" = false\n', { ...DEFAULT, animations: 'off' }],
    ['tui.animations=false', { ...DEFAULT, animations: 'off' }],
    ['tui = { animations = false, x = 1 }', { ...DEFAULT, animations: 'off' }],
    ['[tui]\nterminal_title = ["activity", "thread-id"]\n', { ...DEFAULT, items: ['activity', 'thread-id'] }],
    ['[tui]\nterminal_title = [\n "activity" ]\n', { ...DEFAULT, items: null }],
    ['[tui]\nterminal_title = []\n', { ...DEFAULT, items: null }],
  ])('in %j', (config, settings) => expect(read(config)).toEqual(settings));

  test('may stand on the command line, in a profile or in a project', () => {
    expect(read('', ['-c', 'tui.animations=false'])).toMatchObject({ animations: 'off' });
    expect(read('', ['-c', 'tui.terminal_title=["run-state"]']).items).toEqual(['run-state']);
    const off = '[tui]\nanimations = false\n';
    expect(read(off, ['-p', 'quiet'], 'home/quiet.config.toml')).toMatchObject({ animations: 'off' });
    expect(read(off, [], 'repo/.codex/config.toml')).toMatchObject({ animations: 'off' });
  });

  test('S34: that cannot be read are not taken for unset', () => {
    const command = codexCommand(['codex']);
    if (command === null) throw new Error('not Codex');
    const settings = createTitleSettings(() => 0);
    expect(settings(command, null, '/x')).toEqual({ animations: 'off', items: null });
    mkdirSync(join(folder.path, 'home/config.toml'), { recursive: true });
    expect(settings(command, join(folder.path, 'home'), '/x')).toEqual({ animations: 'off', items: null });
  });
});
