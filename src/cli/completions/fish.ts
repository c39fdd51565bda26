import type { CommandSpec } from '../frame/command.ts';
import { GLOBAL_FLAGS } from '../frame/global-flags.ts';
import { type NamedFlag, type Vocabulary, valuesOf, wordsOf } from './vocabulary.ts';

const NAMES = "'(rollcall __names 2>/dev/null)'";

/** A script for fish 3. fish escapes what a command substitution prints, so names stay names. */
export function fishCompletion(vocabulary: Vocabulary): string {
  const { commands, groups } = vocabulary;
  const lines = [
    '# fish completion for rollcall. Load it with: rollcall completions fish | source',
    'complete -c rollcall -f',
    `complete -c rollcall -n __fish_use_subcommand -a ${NAMES}`,
    ...commands.filter(({ name }) => !name.includes(' ')).map(commandLine),
    ...groups.flatMap((group) => groupLines(group, commands)),
    ...commands.flatMap((command) => wordLines(command, vocabulary)),
    ...Object.entries(GLOBAL_FLAGS).map(([name, spec]) => flagLine({ spelled: `--${name}`, spec }, '')),
    ...commands.flatMap((command) =>
      Object.entries(command.flags).map(([name, spec]) =>
        flagLine({ spelled: `--${name}`, spec }, condition(command, vocabulary)),
      ),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLine({ name, summary }: CommandSpec): string {
  return `complete -c rollcall -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`;
}

function groupLines(group: Vocabulary['groups'][number], commands: readonly CommandSpec[]): string[] {
  const first = `complete -c rollcall -n __fish_use_subcommand -a ${group.name}`;
  const members = group.members.map((member) => {
    const summary = commands.find(({ name }) => name === `${group.name} ${member}`)?.summary ?? '';
    const isHere = quoted(`__fish_seen_subcommand_from ${group.name}`);
    return `complete -c rollcall -n ${isHere} -a ${member} -d ${quoted(summary)}`;
  });
  return [first, ...members];
}

function wordLines(command: CommandSpec, vocabulary: Vocabulary): string[] {
  const words = wordsOf(command, vocabulary);
  if (words.length === 0) return [];
  const offered = words === 'names' ? NAMES : quoted(words.join(' '));
  return [`complete -c rollcall -n ${quoted(seen(command, vocabulary))} -a ${offered}`];
}

function flagLine({ spelled, spec }: NamedFlag, when: string): string {
  const values = valuesOf(spec);
  const short = spec.short === undefined ? '' : ` -s ${spec.short}`;
  const offered = values.length === 0 ? '' : ` -a ${quoted(values.join(' '))}`;
  const isFile = spec.kind === 'word' && spec.isFile === true;
  const value = spec.kind === 'switch' ? '' : isFile ? ' -r -F' : ` -x${offered}`;
  return `complete -c rollcall${when}${short} -l ${spelled.slice(2)}${value} -d ${quoted(spec.help)}`;
}

// The roll's flags hold without its name too, so they are offered until another command is named.
function condition(command: CommandSpec, vocabulary: Vocabulary): string {
  const when =
    command.name === 'roll'
      ? '__fish_use_subcommand; or __fish_seen_subcommand_from roll'
      : seen(command, vocabulary);
  return ` -n ${quoted(when)}`;
}

// A second word may be a command of its own elsewhere (`explain` and `config explain`), so the groups are excluded.
function seen({ name }: CommandSpec, { groups }: Vocabulary): string {
  const [first = '', second] = name.split(' ');
  return second === undefined
    ? `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${groups.map((group) => group.name).join(' ')}`
    : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
