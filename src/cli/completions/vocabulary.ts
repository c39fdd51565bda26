import type { CommandSpec, FlagSpec } from '../frame/command.ts';
import { GLOBAL_FLAGS } from '../frame/global-flags.ts';

/** A flag with the name it has on the command line. */
export interface NamedFlag {
  readonly spelled: string;
  readonly spec: FlagSpec;
}

/** What a completion script has to know, drawn from the commands themselves. */
export interface Vocabulary {
  readonly commands: readonly CommandSpec[];
  /** First words: commands of one word, and groups. */
  readonly firstWords: readonly string[];
  readonly groups: readonly { readonly name: string; readonly members: readonly string[] }[];
  /** Flags of all commands, each once. */
  readonly flags: readonly NamedFlag[];
}

export function vocabularyOf(commands: readonly CommandSpec[]): Vocabulary {
  const flags = new Map<string, NamedFlag>();
  for (const command of commands) for (const flag of flagsOf(command)) flags.set(flag.spelled, flag);
  const names = commands.map(({ name }) => name.split(' ') as [string, string?]);
  const groupNames = new Set(names.flatMap(([first, second]) => (second === undefined ? [] : [first])));
  return {
    commands,
    firstWords: [...new Set(names.map(([first]) => first))],
    groups: [...groupNames].map((name) => ({
      name,
      members: names.flatMap(([first, second]) => (first === name && second !== undefined ? [second] : [])),
    })),
    flags: [...flags.values()],
  };
}

/** Flags that one command takes. */
export function flagsOf(command: CommandSpec): NamedFlag[] {
  return Object.entries({ ...command.flags, ...GLOBAL_FLAGS }).map(([name, spec]) => ({
    spelled: `--${name}`,
    spec,
  }));
}

/** Flags that are followed by a value. */
export function valueFlags({ flags }: Vocabulary): NamedFlag[] {
  return flags.filter(({ spec }) => spec.kind !== 'switch');
}

/** Values a flag can have, as far as they are known beforehand. */
export function valuesOf(spec: FlagSpec): readonly string[] {
  return 'values' in spec ? spec.values : [];
}

/** What the words behind a command are completed with, in the words of a script. */
export function wordsOf(command: CommandSpec, { firstWords }: Vocabulary): 'names' | readonly string[] {
  switch (command.positional?.kind) {
    case 'session':
      return 'names';
    case 'command':
      return firstWords;
    default:
      return command.positional?.values ?? [];
  }
}

/** Flags as they are typed, one after the other. */
export function spelled(flags: readonly NamedFlag[], between = ' '): string {
  return flags.map((flag) => flag.spelled).join(between);
}

/** The name of a command as one word of a shell. */
export function quoted(name: string): string {
  return name.includes(' ') ? `'${name}'` : name;
}
