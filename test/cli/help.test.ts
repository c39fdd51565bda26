import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { cliMarkdown } from '../../scripts/cli-docs.ts';
import { findCommand } from '../../src/cli/frame/find-command.ts';
import { GLOBAL_FLAGS } from '../../src/cli/frame/global-flags.ts';
import { COMMAND_NAMES, type CommandName, loadCommand } from '../../src/cli/frame/load-command.ts';
import { parseArgv } from '../../src/cli/frame/parse-argv.ts';
import { versionDocumentSchema } from '../../src/contract/document-schemas.ts';
import { EXIT_CODES, type ExitName } from '../../src/core/exit-codes.ts';
import { run } from './fake-outside.ts';

describe.each(COMMAND_NAMES)('the help of %s', (name) => {
  it('lists usage, every flag, examples and exit codes, in 80 columns', async () => {
    const { exitCode, stdout } = await run([...name.split(' '), '--help'], { isTTY: true, columns: 200 });
    const command = await loadCommand(name);
    expect(exitCode).toBe(0);
    for (const part of ['USAGE', 'EXAMPLES', 'EXIT CODES', command.summary, ...command.usage]) {
      expect(stdout).toContain(part);
    }
    for (const flag of Object.keys({ ...command.flags, ...GLOBAL_FLAGS }))
      expect(stdout).toContain(`--${flag}`);
    for (const example of Object.keys(command.examples)) expect(stdout).toContain(`\n  ${example}\n`);
    for (const exit of Object.keys(command.exits) as ExitName[])
      expect(stdout).toMatch(new RegExp(`^ {2}${EXIT_CODES[exit].code} `, 'm'));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('is the same through -h, help and in the middle of a wrong line', async () => {
    const words = name.split(' ');
    const { stdout } = await run([...words, '--help']);
    for (const argv of [
      ['help', ...words],
      [...words, '-h'],
      [...words, '--bogus', 'x', 'y', 'z', '--help'],
    ]) {
      expect((await run(argv)).stdout).toBe(stdout);
    }
  });

  it('shows examples that are really accepted, at least one of its own', async () => {
    const { examples } = await loadCommand(name);
    const called = new Set<string>();
    for (const example of Object.keys(examples)) {
      const call = example.replace(/^source <\(|\)$/g, '').split(' | ')[0] ?? '';
      const argv = call
        .split(' ')
        .slice(1)
        .map((word) => word.replace(/^'(.*)'$/, '$1'));
      const found = findCommand(argv, COMMAND_NAMES, 'roll', GLOBAL_FLAGS);
      const { flags } = await loadCommand(found.name as CommandName);
      expect(() => parseArgv(found.rest, { ...GLOBAL_FLAGS, ...flags })).not.toThrow();
      called.add(argv.includes('--version') ? 'version' : found.name);
    }
    expect(called).toContain(name);
  });
});

describe('the help of rollcall itself', () => {
  it('lists every command and every exit code, in 80 columns', async () => {
    const { stdout } = await run(['--help']);
    for (const name of COMMAND_NAMES) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    for (const { code, means } of Object.values(EXIT_CODES)) expect(stdout).toContain(`  ${code}  ${means}`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toContain('__names');
  });

  it.each([
    ['help'],
    ['-h'],
    ['--json', '--help'],
    ['some-pattern', '--help'],
    ['config', '--help'],
    ['__names', '-h'],
  ])('is what %j gives', async (...argv) => {
    expect((await run(argv)).stdout).toBe((await run(['--help'])).stdout);
  });

  it('is narrower on a narrow terminal, except for commands to copy', async () => {
    const { stdout } = await run(['--help'], { isTTY: true, columns: 50 });
    expect(stdout.split('\n').filter((line) => line.length > 50 && !line.startsWith('  rollcall '))).toEqual(
      [],
    );
  });
});

describe('the version', () => {
  it.each([['--version'], ['-V'], ['version'], ['explain', '--version']])(
    'is printed by %j',
    async (...argv) => {
      expect(await run(argv)).toMatchObject({ exitCode: 0, stdout: 'rollcall 1.2.3\n' });
    },
  );

  it('is a document under --json', async () => {
    for (const argv of [
      ['--version', '--json'],
      ['version', '--json'],
    ]) {
      expect(v.parse(versionDocumentSchema, JSON.parse((await run(argv)).stdout)).version).toBe('1.2.3');
    }
  });
});

describe('docs/CLI.md', () => {
  it('is made from the same specs', async () => {
    const markdown = await cliMarkdown();
    for (const name of COMMAND_NAMES) {
      const command = await loadCommand(name);
      expect(markdown).toContain(`## rollcall ${name}\n`);
      for (const flag of Object.keys({ ...command.flags, ...GLOBAL_FLAGS }))
        expect(markdown).toContain(`--${flag}`);
      for (const [line, what] of Object.entries(command.examples))
        expect(markdown).toContain(`# ${what}\n${line}\n`);
    }
    for (const { code } of Object.values(EXIT_CODES)) expect(markdown).toContain(`| ${code} | `);
  });
});
