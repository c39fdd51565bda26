import { resolve } from 'node:path';
import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { argumentsOf, type StartSignature } from './started-by.ts';

/** How many of the words behind it an option takes; `truth`: one that is `true` or `false`. */
type Takes = 'nothing' | 'word' | 'maybe' | 'words' | 'truth';

/**
 * What becomes of an option when the conversation is brought back: it is given again; it chose a conversation, which is
 * chosen otherwise now; it was a prompt; or it was for the first start only.
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

/** One kind of agent, as far as its command line goes. */
export interface ResumeManner {
  readonly signature: StartSignature;
  readonly options: Options;
  /** What brings a conversation back, behind the program. */
  words(conversation: string): readonly string[];
  /** What stands among the words that are no option and is no prompt; without it all of them are the prompt. */
  readonly read?: (rest: readonly string[]) => Rest;
}

interface Rest {
  /** The folder to work in, which comes back as it was. */
  readonly folder?: string;
  readonly prompt: readonly string[];
}

export const NO_PROMPT_AGAIN = 'the first prompt that it was started with is not sent again';

/**
 * The same program with the same options on its conversation. A prompt would do its work again, so it never comes back;
 * a word that the table does not know may be one, or choose another conversation.
 */
export function resumption(
  { signature, options, words, read }: ResumeManner,
  conversation: string | null,
  startedAs?: StartedAs,
): Resumption {
  const chosen = conversation === null ? [] : words(conversation);
  const given = startedAs && argumentsOf(startedAs.argv, signature);
  if (startedAs === undefined || !given) {
    return { argv: [signature.programs[0] ?? '', ...chosen], dropped: [] };
  }
  const program = startedAs.argv.slice(0, startedAs.argv.length - given.length);
  const { kept, dropped, rest, hasPrompt } = sorted(given, options);
  const { folder, prompt } = read?.(rest) ?? { prompt: rest };
  // A program that was given a folder is in it by now: only from where it was started is it found again.
  const place = folder === undefined || startedAs.cwd === undefined ? [] : [resolve(startedAs.cwd, folder)];
  return {
    argv: [...program, ...place, ...chosen, ...kept],
    dropped: [...dropped, ...(hasPrompt || prompt.length > 0 ? [NO_PROMPT_AGAIN] : [])],
  };
}

interface Sorted {
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  /** What is no option. */
  readonly rest: readonly string[];
  readonly hasPrompt: boolean;
}

function sorted(words: readonly string[], options: Options): Sorted {
  const [kept, dropped, rest]: [string[], string[], string[]] = [[], [], []];
  let hasPrompt = false;
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      hasPrompt ||= left.length > 0;
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      rest.push(word);
      continue;
    }
    const { name, inline, others } = partsOf(word, options);
    left.unshift(...others);
    const option = options.get(name);
    const values = inline ? [] : left.splice(0, countTaken(option, left));
    if (option?.fate === 'kept') kept.push(inline ? word : name, ...values);
    else if (option?.fate === 'prompt') hasPrompt = true;
    else if (option?.fate === 'once') dropped.push(`${name} is left out: it was for the first start only`);
    else if (option === undefined) dropped.push(unknown(name, values.length > 0));
  }
  return { kept, dropped, rest, hasPrompt };
}

function unknown(name: string, hasWord: boolean): string {
  const shown = /^--?[\w-]{1,60}/.exec(name)?.[0] ?? 'an option';
  return `${shown}${hasWord ? ' and the word behind it are' : ' is'} left out: what it does is not known here`;
}

/** Whether a word holds its value itself (`--flag=value`, `-fvalue`), and what stands behind the first letter of `-abc`. */
function partsOf(
  word: string,
  options: Options,
): { readonly name: string; readonly inline: boolean; readonly others: readonly string[] } {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    return { name: at === -1 ? word : word.slice(0, at), inline: at !== -1, others: [] };
  }
  const name = word.slice(0, 2);
  const option = options.get(name);
  if (word.length === 2) return { name, inline: false, others: [] };
  if (option?.takes === 'nothing' || (option?.takes === 'truth' && word[2] !== '=')) {
    return { name, inline: false, others: [`-${word.slice(2)}`] };
  }
  return { name, inline: true, others: [] };
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
