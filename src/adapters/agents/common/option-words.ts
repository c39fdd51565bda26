/** How many of the words behind it an option takes; `truth`: one that is `true` or `false`. */
type Takes = 'nothing' | 'word' | 'maybe' | 'words' | 'truth';

/**
 * What happens to an option when the conversation is brought back. `kept`: given again. `conversation`: it chose the
 * conversation, which is now chosen in another way. `prompt`: not sent again. `once`: for the first start only.
 */
type Fate = 'kept' | 'conversation' | 'prompt' | 'once';

interface Option {
  readonly takes: Takes;
  readonly fate: Fate;
}

export type Options = ReadonlyMap<string, Option>;

/** A table of options, written as lists of names. */
export function optionTable(
  table: Readonly<Partial<Record<Fate, Readonly<Partial<Record<Takes, string>>>>>>,
): Options {
  const rows = Object.entries(table) as [Fate, Readonly<Partial<Record<Takes, string>>>][];
  return new Map(
    rows.flatMap(([fate, lists]) =>
      (Object.entries(lists) as [Takes, string][]).flatMap(([takes, names]) =>
        names.split(' ').map((name) => [name, { takes, fate }] as const),
      ),
    ),
  );
}

/** One word of a command line that is no option, or one option with what it was given. */
export interface Given {
  /** Empty for a word that is no option. */
  readonly name: string;
  readonly option?: Option;
  /** The words as written; `-abc` is split into single letters. */
  readonly words: readonly string[];
  /** What an option was given, in the same word or behind it. */
  readonly values: readonly string[];
}

/** Takes the words of a command line apart, in every form in which an option may be written; `behind` follows `--`. */
export function readWords(words: readonly string[], options: Options) {
  const given: Given[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined && word !== '--'; word = left.shift()) {
    if (!word.startsWith('-') || word === '-') {
      given.push({ name: '', words: [word], values: [] });
      continue;
    }
    const { name, inline, others } = partsOf(word, options);
    left.unshift(...others);
    const option = options.get(name);
    const values = inline === undefined ? left.splice(0, countTaken(option, left)) : [inline];
    const own = inline === undefined ? [name, ...values] : [word];
    given.push({ name, words: own, values, ...(option !== undefined && { option }) });
  }
  return { given, behind: left };
}

/** Whether an option takes the word behind it, whatever that word is. */
export function takesNext(name: string | undefined, options: Options): boolean {
  const { takes = 'nothing' } = options.get(name ?? '') ?? {};
  return takes !== 'nothing' && takes !== 'truth';
}

/** What an option was given, by any of its names: the last time counts. */
export function valueGiven(given: readonly Given[], names: readonly string[]): string | undefined {
  return given.findLast(({ name }) => names.includes(name))?.values[0];
}

/** The value that a word holds itself (`--flag=value`, `-fvalue`), and what stands behind the first letter of `-abc`. */
function partsOf(word: string, options: Options) {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    if (at === -1) return { name: word, others: [] };
    return { name: word.slice(0, at), inline: word.slice(at + 1), others: [] };
  }
  const name = word.slice(0, 2);
  const option = options.get(name);
  if (word.length === 2) return { name, others: [] };
  if (option?.takes === 'nothing' || (option?.takes === 'truth' && word[2] !== '=')) {
    return { name, others: [`-${word.slice(2)}`] };
  }
  return { name, inline: word.slice(2).replace(/^=/, ''), others: [] };
}

function countTaken(option: Option | undefined, left: readonly string[]): number {
  const next = left[0];
  if (next === undefined) return 0;
  const isWord = !next.startsWith('-') || next === '-';
  switch (option?.takes) {
    case 'word':
      return 1;
    case 'words': {
      const end = left.findIndex((word) => word.startsWith('-'));
      return end === -1 ? left.length : end;
    }
    case 'truth':
      return next === 'true' || next === 'false' ? 1 : 0;
    case 'nothing':
      return 0;
    default:
      return isWord ? 1 : 0;
  }
}
