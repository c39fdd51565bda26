import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createVersionReader } from '../../../../src/adapters/agents/codex/version.ts';
import { temporaryFolder } from './fixtures.ts';

const folder = temporaryFolder();
const versionAt = (program: string, manifest?: { readonly at: string; readonly text: string }) => {
  mkdirSync(join(folder.path, '42'), { recursive: true });
  symlinkSync(join(folder.path, program), join(folder.path, '42/exe'));
  if (manifest) {
    mkdirSync(join(folder.path, manifest.at), { recursive: true });
    writeFileSync(join(folder.path, manifest.at, 'package.json'), manifest.text);
  }
  return createVersionReader(folder.path)({ pid: 42, startTicks: 1 });
};
const NPM = 'lib/@openai/codex-linux-x64';

describe('the version of a running Codex', () => {
  test('stands in the package around its program', () => {
    const text = JSON.stringify({ name: '@openai/codex', version: '0.166.0-linux-x64' });
    expect(versionAt(`${NPM}/vendor/x86_64-unknown-linux-musl/bin/codex`, { at: NPM, text })).toBe('0.166.0');
  });

  test('stands in the path of a release of its own', () => {
    expect(versionAt('releases/0.166.0-x86_64-unknown-linux-musl/bin/codex')).toBe('0.166.0');
  });

  test.each([
    ['another package', JSON.stringify({ name: 'x', version: '0.166.0' })],
    ['no JSON', '{'],
    ['no text', JSON.stringify({ name: '@openai/codex', version: 1 })],
  ])('is not known from %s', (_, text) => {
    expect(versionAt(`${NPM}/bin/codex`, { at: NPM, text })).toBeUndefined();
  });

  test('is not known of a program that was replaced, or of a process that is gone', () => {
    expect(versionAt('releases/0.166.0/bin/codex (deleted)')).toBeUndefined();
    expect(createVersionReader(folder.path)({ pid: 43, startTicks: 1 })).toBeUndefined();
  });

  test('of a preview is not that of the release', () => {
    expect(versionAt('releases/0.166.0-alpha.3-x86_64-unknown-linux-musl/bin/codex')).not.toBe('0.166.0');
  });
});
