import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVersionReader } from '../../../../src/adapters/agents/gemini/version.ts';
import { geminiProcess } from './scene.ts';

describe('the version', () => {
  let folder: string;
  let script: string;
  let packageFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-'));
    const home = join(folder, 'node_modules/@google/gemini-cli');
    script = join(home, 'bundle/gemini.js');
    packageFile = join(home, 'package.json');
    mkdirSync(join(home, 'bundle'), { recursive: true });
    mkdirSync(join(folder, 'bin'));
    writeFileSync(script, '');
    writeFileSync(packageFile, '{"name":"@google/gemini-cli","version":"0.61.0"}');
    symlinkSync(script, join(folder, 'bin/gemini'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const startedAt = Date.now() + 60_000;
  const processOf = (path: string, at = startedAt, startTicks = 1) =>
    geminiProcess({ argv: ['node', '--max-old-space-size=4096', path], startedAt: at, startTicks });

  test('is that of the package in which the script lies, also behind a link', () => {
    expect(createVersionReader()(processOf(script))).toBe('0.61.0');
    expect(createVersionReader()(processOf(join(folder, 'bin/gemini')))).toBe('0.61.0');
  });

  test('S37: is not known when the package was changed after the process had started', () => {
    expect(createVersionReader()(processOf(script, Date.now() - 60_000))).toBeUndefined();
  });

  test('is looked up once for each process', () => {
    const read = createVersionReader();
    expect(read(processOf(script))).toBe('0.61.0');
    writeFileSync(packageFile, '{"name":"@google/gemini-cli","version":"0.62.0"}');
    expect(read(processOf(script))).toBe('0.61.0');
    expect(read(processOf(script, startedAt, 2))).toBe('0.62.0');
  });

  test('S57: is not known from another package, from garbage, or without a path', () => {
    for (const text of ['{"name":"other","version":"1"}', '{', '{"name":"@google/gemini-cli"}', 'null']) {
      writeFileSync(packageFile, text);
      expect(createVersionReader()(processOf(script)), text).toBeUndefined();
    }
    expect(createVersionReader()(geminiProcess({ argv: ['gemini'] }))).toBeUndefined();
    expect(createVersionReader()(processOf('/nowhere/gemini.js'))).toBeUndefined();
  });
});
