/** A folder of its own for inputs that are read from files. */
export interface Room {
  readonly folder: string;
  /** Writes a file below the folder, and says where. */
  file(name: string, content: Buffer | string): string;
}

/** What is done to a sample so that a reader must notice it. */
export type Damage =
  /** Its end is missing. */
  | 'cut'
  /** Something that nobody writes stands behind it. */
  | 'trailed';

/** A parser that is fed with damaged inputs. */
export interface Target {
  readonly name: string;
  /** `file#export` of what the target reaches, below `src/`. */
  readonly covers: readonly string[];
  /** Real inputs to begin with. */
  readonly seeds: () => readonly Buffer[];
  /** Words of the format, for mutations to put in. */
  readonly words?: readonly string[];
  /** Parses the input with the real source. */
  parse(input: Buffer, room: Room): unknown;
  /** Whether the parser declares this error. Without it, it throws none. */
  isDeclared?(error: unknown): boolean;
  /** What is wrong with the answer to any input; null for nothing. */
  objection?(input: Buffer, answer: never, room: Room): string | null | Promise<string | null>;
  /** What is wrong with the answer to a damaged sample; null for nothing. Never called for an unchanged one. */
  damaged?(one: DamagedCase, answer: never, room: Room): string | null | Promise<string | null>;
  /** The answer may have numbers that are not finite; the reason. */
  readonly infinite?: string;
  /** The answer may be this many times as large as the input, beside a constant. */
  readonly growth?: number;
  /** Inputs of a given size that are hard for this parser, beside those that every parser gets. */
  readonly hard?: Readonly<Record<string, (bytes: number) => Buffer>>;
  /** Bytes of a mutated input; fewer for parsers that write files or run slowly by nature. */
  readonly most?: number;
}

/** Makes a target whose answer has a type. */
export function target<A>(
  given: Omit<Target, 'parse' | 'objection' | 'damaged'> & {
    parse(input: Buffer, room: Room): A | Promise<A>;
    objection?(input: Buffer, answer: A, room: Room): string | null | Promise<string | null>;
    damaged?(one: DamagedCase, answer: A, room: Room): string | null | Promise<string | null>;
  },
): Target {
  return given as Target;
}

/** One input. */
export interface Case {
  readonly input: Buffer;
  /** Set where the input is a sample with one known damage. */
  readonly from?: { readonly sample: Buffer; readonly damage: Damage };
}

/** A sample, what was done to it, and what is left of it. */
export interface DamagedCase {
  readonly sample: Buffer;
  readonly damage: Damage;
  readonly input: Buffer;
}
