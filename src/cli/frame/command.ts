import type { ExitName } from '../../core/exit-codes.ts';
import type { GLOBAL_FLAGS } from './global-flags.ts';
import type { Surroundings } from './surroundings.ts';

interface FlagShape {
  readonly short?: string;
  readonly help: string;
}

/** One flag as data: it is parsed, explained, completed and documented from this. */
export type FlagSpec = FlagShape &
  (
    | { readonly kind: 'switch' }
    | {
        readonly kind: 'word';
        readonly placeholder: string;
        readonly default?: string;
        /** Completed with file names. */
        readonly isFile?: boolean;
      }
    /** May be repeated; its values may hold commas. */
    | { readonly kind: 'words'; readonly placeholder: string }
    /** May be repeated, and each value may be a comma list. */
    | { readonly kind: 'list'; readonly placeholder: string }
    | {
        readonly kind: 'choice';
        readonly placeholder: string;
        readonly values: readonly string[];
        readonly default?: string;
      }
    /** May be repeated, and each value may be a comma list. */
    | { readonly kind: 'choices'; readonly placeholder: string; readonly values: readonly string[] }
  );

export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

type FlagValue<F extends FlagSpec> = F extends { kind: 'switch' }
  ? boolean
  : F extends { kind: 'words' | 'list' }
    ? readonly string[]
    : F extends { kind: 'choices'; values: readonly (infer V)[] }
      ? readonly V[]
      : F extends { kind: 'choice'; values: readonly (infer V)[] }
        ? V | undefined
        : string | undefined;

export type FlagValues<F extends FlagSpecs> = { readonly [N in keyof F]: FlagValue<F[N]> };

/** The words behind a command's name. */
export interface PositionalSpec {
  readonly placeholder: string;
  /** What completion offers. */
  readonly kind: 'session' | 'command' | 'choice';
  readonly values?: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly help: string;
}

/** One call of a command. */
export interface Invocation<F extends FlagSpecs = FlagSpecs> {
  readonly flags: FlagValues<F & typeof GLOBAL_FLAGS>;
  readonly words: readonly string[];
  readonly surroundings: Surroundings;
  /** Every command a person may call, for those that speak about the others. */
  readonly commandNames: readonly string[];
  commands(): Promise<readonly Command[]>;
}

/** Everything about a command except what it does: help, completions and docs are made from it. */
export interface CommandSpec<F extends FlagSpecs = FlagSpecs> {
  /** One word, or two for a command of a group (`config explain`). */
  readonly name: string;
  readonly summary: string;
  readonly usage: readonly string[];
  /** Paragraphs. */
  readonly description: readonly string[];
  readonly flags: F;
  readonly positional: PositionalSpec | null;
  /** Command lines, each with what it is for. */
  readonly examples: Readonly<Record<string, string>>;
  /** When it ends with which exit code. */
  readonly exits: { readonly [N in ExitName]?: string };
  /** It asks for settings never, or only after a look: what reads them is loaded then. */
  readonly settings?: 'late';
}

export interface Command extends CommandSpec {
  /** Gives the exit code; throws a Failure for anything but success. */
  run(invocation: Invocation): Promise<number>;
}

type Definition<F extends FlagSpecs> = Omit<CommandSpec<F>, 'flags' | 'positional'> &
  Partial<Pick<CommandSpec<F>, 'flags' | 'positional'>> & {
    run(invocation: Invocation<F>): Promise<number>;
  };

/** Ties a command's run to the types of its own flags. Without flags or words of its own it leaves them out. */
export function defineCommand<const F extends FlagSpecs = Record<never, never>>(
  definition: Definition<F>,
): Command {
  return { flags: {}, positional: null, ...definition } as unknown as Command;
}
