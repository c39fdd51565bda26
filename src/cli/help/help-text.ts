import { EXIT_CODES, type ExitName } from '../../core/exit-codes.ts';
import type { CommandSpec, FlagSpec, FlagSpecs } from '../frame/command.ts';
import { GLOBAL_FLAGS } from '../frame/global-flags.ts';
import { notNamed } from '../frame/named.ts';
import { type Line, line, printLines, span } from '../render/line.ts';
import { labelled, page, section } from '../render/page.ts';
import { paragraph, wrap } from '../render/wrap.ts';

const WIDEST = 80;
const NARROWEST = 40;
const WIDEST_NAME = 24;

/** Help on one command, or on all of them when none is named; at most 80 columns wide, and narrower on request. */
export function helpFor(wanted: string, commands: readonly CommandSpec[], columns: number | null): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns ?? WIDEST));
  if (wanted === '') return printLines(overview(commands, width), false);
  const command = commands.find(({ name }) => name === wanted);
  if (command === undefined) {
    const names = commands.map(({ name }) => name);
    throw notNamed(wanted, names, `there is no command '${wanted}'`, 'the commands are');
  }
  return printLines(details(command, width), false);
}

/** A flag as a person types it: `--lifecycle=LIST`. */
export function flagSpelling(name: string, spec: FlagSpec): string {
  const long = `--${name}${spec.kind === 'switch' ? '' : `=${spec.placeholder}`}`;
  return spec.short === undefined ? long : `-${spec.short}, ${long}`;
}

/** What a flag does, with its values and default. */
export function flagHelp(spec: FlagSpec): string {
  const isList = spec.kind === 'choices' || spec.kind === 'list';
  const values = 'values' in spec ? ` One${isList ? ' or more' : ''} of ${spec.values.join(', ')}.` : '';
  const repeat = isList ? ' Separate several with commas, or repeat the flag.' : '';
  const standard = 'default' in spec && spec.default !== undefined ? ` Default ${spec.default}.` : '';
  return `${spec.help}${values}${repeat}${standard}`;
}

/** The exit codes of a command, each with when it ends so. */
export function exitRows(exits: CommandSpec['exits']): [string, string][] {
  return Object.entries(exits).map(([name, when]) => [String(EXIT_CODES[name as ExitName].code), when]);
}

function overview(commands: readonly CommandSpec[], width: number): Line[] {
  const roll = commands.find(({ name }) => name === 'roll');
  const names = commands.map(({ name, summary }) => [name, summary] as const);
  const codes = Object.values(EXIT_CODES).map(({ code, means }) => [String(code), means] as const);
  return page([
    paragraph('rollcall: every AI coding-agent session in tmux, what it is doing, and why.', width),
    section('USAGE', lines(['rollcall [PATTERN…] [flags]', 'rollcall COMMAND [flags]'])),
    section('COMMANDS', pairs(names, width)),
    section('FLAGS OF THE ROLL', flagLines(roll?.flags ?? {}, width)),
    section('FLAGS OF EVERY COMMAND', flagLines(GLOBAL_FLAGS, width)),
    section('EXAMPLES', exampleLines(roll?.examples ?? {}, width)),
    section('EXIT CODES', pairs(codes, width)),
    paragraph('rollcall help COMMAND explains one command.', width),
  ]);
}

function details(command: CommandSpec, width: number): Line[] {
  const { positional } = command;
  return page([
    paragraph(command.summary, width),
    section('USAGE', lines(command.usage)),
    ...command.description.map((text) => paragraph(text, width)),
    section('WORDS', positional === null ? [] : pairs([[positional.placeholder, positional.help]], width)),
    section('FLAGS', flagLines(command.flags, width)),
    section('FLAGS OF EVERY COMMAND', flagLines(GLOBAL_FLAGS, width)),
    section('EXAMPLES', exampleLines(command.examples, width)),
    section('EXIT CODES', pairs(exitRows(command.exits), width)),
  ]);
}

function flagLines(flags: FlagSpecs, width: number): Line[] {
  const rows = Object.entries(flags).map(
    ([name, spec]) => [flagSpelling(name, spec), flagHelp(spec)] as const,
  );
  return pairs(rows, width);
}

// Commands are never broken: whoever copies one gets it whole.
function exampleLines(examples: CommandSpec['examples'], width: number): Line[] {
  return Object.entries(examples).flatMap(([command, what]) => [
    ...wrap([span('  # ')], line(what), width),
    line(`  ${command}`),
  ]);
}

function lines(texts: readonly string[]): Line[] {
  return texts.map((text) => line(`  ${text}`));
}

function pairs(rows: readonly (readonly [string, string])[], width: number): Line[] {
  const room = Math.min(WIDEST_NAME, Math.max(0, ...rows.map(([name]) => name.length))) + 2;
  return rows.flatMap(([name, text]) => {
    // A long name keeps a line of its own, so that the texts stay in one column.
    if (name.length + 2 > room) return [line(`  ${name}`), ...paragraph(text, width, room + 2)];
    return labelled(name, text, width, { indent: 2, room });
  });
}
