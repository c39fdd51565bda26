import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createSettingsReader } from '../../../../src/adapters/agents/gemini/settings.ts';
import { cpuSeconds } from '../../../support/cpu-seconds.ts';
import { geminiProcess, NOW } from './scene.ts';

describe('settings', () => {
  let home: string;
  let project: string;
  let now: number;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'gemini-'));
    project = mkdtempSync(join(tmpdir(), 'gemini-'));
    now = NOW;
  });
  afterEach(() => {
    for (const folder of [home, project]) rmSync(folder, { recursive: true });
  });

  const write = (path: string, text: string) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  };
  const agent = (env: Record<string, string> = {}) => {
    const system = { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, 'system/settings.json') };
    return geminiProcess({ cwd: project, env: () => ({ HOME: home, ...system, ...env }) });
  };
  const read = (env: Record<string, string> = {}) => createSettingsReader()(agent(env), now);

  test('are nothing special where there are none', () => {
    expect(read()).toEqual({ isTitleHidden: false, servers: [] });
  });

  it.each(['.gemini/settings.json', 'system/settings.json', 'system/system-defaults.json'])(
    'in %s may hide the title',
    (path) => {
      write(join(home, path), '{"ui":{"hideWindowTitle":true}}');
      expect(read()).toMatchObject({ isTitleHidden: true });
    },
  );

  test('of the project may hide the title, and those of another home are not asked', () => {
    write(join(project, '.gemini/settings.json'), '{"ui":{"hideWindowTitle":true}}');
    expect(read().isTitleHidden).toBe(true);
    rmSync(join(project, '.gemini'), { recursive: true });
    write(join(home, '.gemini/settings.json'), '{"ui":{"hideWindowTitle":true}}');
    expect(read({ GEMINI_CLI_HOME: project }).isTitleHidden).toBe(false);
  });

  it.each([
    ['{"ui":{"hideWindowTitle": false}}', false],
    ['{"ui":{"hideWindowTitle": "$HIDE"}}', true],
    ['{"ui":{"hideWindowTitle"\n:\n true', true],
  ])('%j: the title is kept only when that is said, or nothing', (text, isHidden) => {
    write(join(home, '.gemini/settings.json'), text);
    expect(read().isTitleHidden).toBe(isHidden);
  });

  test('S27: name the servers, with comments between them, and so do extensions', () => {
    write(
      join(home, '.gemini/settings.json'),
      `// mine
      {"mcpServers": {
        /* two " of them */ "a": {"command": "node", "args": ["//a.mjs", 7]}, // "x
        "b": {"httpUrl": "https://example.org/*"}, "c": 5, "d": {"command": ""}
      }}`,
    );
    write(
      join(home, '.gemini/extensions/notes/gemini-extension.json'),
      '{"mcpServers":{"n":{"command":"notes"}}}',
    );
    expect(read().servers).toEqual([
      { command: 'node', args: ['//a.mjs'] },
      { command: 'notes', args: [] },
    ]);
  });

  test('are asked again after a while', () => {
    const reader = createSettingsReader();
    expect(reader(agent(), now).isTitleHidden).toBe(false);
    write(join(home, '.gemini/settings.json'), '{"ui":{"hideWindowTitle":true}}');
    expect(reader(agent(), now + 1_000).isTitleHidden).toBe(false);
    expect(reader(agent(), now + 6_000).isTitleHidden).toBe(true);
    write(join(home, '.gemini/settings.json'), '{"ui":{}}');
    expect(reader(agent(), now + 12_000).isTitleHidden).toBe(false);
    expect(reader(agent(), now - 1_000_000).isTitleHidden).toBe(false);
  });

  test('S57: that are garbled, huge or no file are a problem, and are read in no time', () => {
    const path = join(home, '.gemini/settings.json');
    for (const text of [
      '{"mcpServers":',
      '/*'.repeat(100_000),
      `"${'\\"'.repeat(100_000)}`,
      ' '.repeat(300_000),
    ]) {
      write(path, text);
      const problem = () => expect(read().problem, text.slice(0, 20)).toBeDefined();
      expect(cpuSeconds(problem)).toBeLessThan(5);
    }
    rmSync(path);
    mkdirSync(path);
    expect(read().problem).toBeDefined();
  });

  test('S34: are only those of the system where the environment may not be read', () => {
    const hidden = geminiProcess({ env: () => null });
    expect(createSettingsReader()(hidden, now).servers).toEqual([]);
  });
});
