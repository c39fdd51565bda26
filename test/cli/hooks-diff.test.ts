import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../src/cli/hooks/diff.ts';

describe('the diff', () => {
  it('shows the changed lines with three around them', () => {
    const before = `${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].join('\n')}\n`;
    expect(unifiedDiff('/f', before, before.replace('5\n', '5\nnew\n'))).toEqual([
      ...['--- /f', '+++ /f', '@@ -3,6 +3,7 @@'],
      ...[' 3', ' 4', ' 5', '+new', ' 6', ' 7', ' 8'],
    ]);
  });

  it('names no file where there is none, and says where the last newline is missing', () => {
    expect(unifiedDiff('/f', null, 'a')).toEqual([
      '--- /dev/null',
      '+++ /f',
      '@@ -0,0 +1,1 @@',
      '+a',
      '\\ No newline at end of file',
    ]);
    expect(unifiedDiff('/f', 'a\n', null).slice(1)).toEqual(['+++ /dev/null', '@@ -1,1 +0,0 @@', '-a']);
    expect(unifiedDiff('/f', 'a', 'a')).toEqual([]);
  });

  it('keeps that remark with a last line that has not changed', () => {
    expect(unifiedDiff('/f', 'a\n1\n2\nlast', 'b\n1\n2\nlast').slice(-2)).toEqual([
      ' last',
      '\\ No newline at end of file',
    ]);
  });

  it('shows what is too large to compare as replaced', () => {
    const lines = (name: string) => Array.from({ length: 3000 }, (_, index) => `${name}${index}\n`).join('');
    expect(unifiedDiff('/f', lines('a'), lines('b'))).toHaveLength(6003);
  });

  it('shows no token of the settings', () => {
    const before = '{"env":{"ANTHROPIC_AUTH_TOKEN":"abc-secret"}}\n';
    const diff = unifiedDiff('settings.json', before, before.replace('}}', '},"hooks":{}}'));
    expect(diff.join('\n')).not.toContain('abc-secret');
    expect(diff.at(-1)).toBe('+{"env":{"ANTHROPIC_AUTH_TOKEN":"***"},"hooks":{}}');
  });

  it('is one that git understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-diff-'));
    const file = join(folder, 'file');
    const text = fc.array(fc.constantFrom('a\n', 'b\n', '{\n', '  c\n', '\n'), { maxLength: 12 });
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    const ending = fc.constantFrom('', 'last');
    const whole = fc.tuple(text, ending).map(([lines, end]) => lines.join('') + end);
    try {
      fc.assert(
        fc.property(whole, whole, (before, after) => {
          fc.pre(before !== after && before !== '' && after !== '');
          writeFileSync(file, before);
          const input = `${unifiedDiff('file', before, after).join('\n')}\n`;
          const { status, stderr } = spawnSync('git', ['apply', '-p0', '--whitespace=nowarn', '-'], {
            input,
            cwd: folder,
            env,
            encoding: 'utf8',
          });
          expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
          expect(readFileSync(file, 'utf8')).toBe(after);
        }),
        { numRuns: 25 },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
