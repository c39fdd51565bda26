import { resolve } from 'node:path';
import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { type Options, readWords } from './option-words.ts';
import { argumentsOf, type StartSignature } from './started-by.ts';

/** One kind of agent, as far as its command line goes. */
export interface ResumeManner {
  readonly signature: StartSignature;
  readonly options: Options;
  /** What brings a conversation back, behind the program. */
  words(conversation: string): readonly string[];
  /** What stands among the words that are no option and is no prompt; without it all of them are the prompt. */
  readonly read?: (rest: readonly string[]) => {
    /** The folder to work in, which comes back as it was. */
    readonly folder?: string;
    readonly prompt: readonly string[];
  };
}

export const NO_PROMPT_AGAIN = 'the first prompt that it was started with is not sent again';

/**
 * Makes what brings a conversation back: the same program with the same options. A prompt never comes back, because its
 * work would be done again. An unknown word may be a prompt, or choose another conversation.
 */
export function resumesBy({ signature, options, words, read }: ResumeManner) {
  return (conversation: string | null, startedAs?: StartedAs): Resumption => {
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
  };
}

function sorted(words: readonly string[], options: Options) {
  // The rest is what is no option.
  const [kept, dropped, rest]: [string[], string[], string[]] = [[], [], []];
  const { given, behind } = readWords(words, options);
  let hasPrompt = behind.length > 0;
  for (const { name, option, words: own } of given) {
    if (name === '') rest.push(...own);
    else if (option === undefined) dropped.push(unknown(name, own.length > 1));
    else if (option.fate === 'kept') kept.push(...own);
    else if (option.fate === 'prompt') hasPrompt = true;
    else if (option.fate === 'once') dropped.push(`${name} is left out: it was for the first start only`);
  }
  return { kept, dropped, rest, hasPrompt };
}

function unknown(name: string, hasWord: boolean): string {
  const shown = /^--?[\w-]{1,60}/.exec(name)?.[0] ?? 'an option';
  return `${shown}${hasWord ? ' and the word behind it are' : ' is'} left out: what it does is not known here`;
}
