import type { CommandSpec, FlagSpecs } from '../src/cli/frame/command.ts';
import { GLOBAL_FLAGS } from '../src/cli/frame/global-flags.ts';
import { COMMAND_NAMES, loadCommand } from '../src/cli/frame/load-command.ts';
import { exitRows, flagHelp, flagSpelling } from '../src/cli/help/help-text.ts';
import { EXIT_CODES } from '../src/core/exit-codes.ts';

/** docs/CLI.md, made from the same specs as the help. */
export async function cliMarkdown(): Promise<string> {
  const commands = await Promise.all(COMMAND_NAMES.map(loadCommand));
  const blocks = [
    '# Command line',
    'Made from the commands themselves; `rollcall help` says the same. The JSON documents are described in [CLI-JSON.md](CLI-JSON.md).',
    table(
      ['Command', ''],
      commands.map(({ name, summary }) => [`[\`rollcall ${name}\`](#${anchor(name)})`, summary]),
    ),
    '## Flags of every command',
    flagTable(GLOBAL_FLAGS),
    'A flag’s value follows as `--flag=value` or `--flag value`. `--` ends the flags, so that names with a leading dash can be given.',
    '## Exit codes',
    table(
      ['Code', 'Name in JSON', 'Means'],
      Object.entries(EXIT_CODES).map(([name, { code, means }]) => [String(code), `\`${name}\``, means]),
    ),
    'With `--json`, a failure is a document on stdout: `{"schemaVersion":1,"error":{"code","exitCode","message","hint"}}`, with `details` and `candidates` where there are any.',
    ...commands.flatMap(commandBlocks),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function commandBlocks(command: CommandSpec): string[] {
  const { positional, examples, exits } = command;
  return [
    `## rollcall ${command.name}`,
    command.summary,
    fence(command.usage),
    ...command.description.map(escaped),
    ...(positional === null ? [] : [`\`${positional.placeholder}\`: ${escaped(positional.help)}`]),
    ...(Object.keys(command.flags).length === 0 ? [] : [flagTable(command.flags)]),
    fence(Object.entries(examples).flatMap(([line, what]) => [`# ${what}`, line])),
    table(['Exit code', 'When'], exitRows(exits)),
  ];
}

function flagTable(flags: FlagSpecs): string {
  return table(
    ['Flag', ''],
    Object.entries(flags).map(([name, spec]) => [`\`${flagSpelling(name, spec)}\``, flagHelp(spec)]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => `| ${row.map((cell) => escaped(cell)).join(' | ')} |`;
  return [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n');
}

function fence(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

function anchor(name: string): string {
  return `rollcall-${name.replaceAll(' ', '-')}`;
}

// A bar would end a table cell even inside code, and a lone star would start emphasis.
function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replace(/(?<!`)\*(?![`*])/g, '\\*');
}
