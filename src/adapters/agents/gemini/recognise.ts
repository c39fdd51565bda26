import { type Given, readWords, valueGiven } from '../common/option-words.ts';
import { argumentsOf } from '../common/started-by.ts';
import { OPTIONS } from './options.ts';

export const STARTED_BY = { programs: ['gemini'], packages: ['@google/gemini-cli'] };

// Words behind which no one sits at a prompt: one answer, a listing, or another program's protocol.
const NOT_INTERACTIVE =
  /^(?:-[a-oq-zA-Z]*p|--prompt|--acp|--experimental-acp|-[vhl]|--version|--help|--list-extensions|--list-sessions|--delete-session)(?:=|$)/;
const SUBCOMMANDS = new Set(['mcp', 'extensions', 'extension', 'skills', 'skill', 'hooks', 'hook', 'gemma']);
// Options that take the next word, so that it is no subcommand.
const TAKES_A_WORD =
  /^(?:-[mierwo]|--(?:model|prompt-interactive|resume|worktree|approval-mode|policy|admin-policy|allowed-mcp-server-names|allowed-tools|extensions|session-file|session-id|include-directories|output-format))$/;

/** The words that Gemini itself was given; null when it is another program. */
export function geminiArguments(argv: readonly string[]): readonly string[] | null {
  return argumentsOf(argv, STARTED_BY);
}

/** Whether a command line is Gemini at its prompt, before or after it has started itself anew with more memory. */
export function recognisesGemini(argv: readonly string[]): boolean {
  const words = geminiArguments(argv);
  if (words === null) return false;
  const options = words.slice(0, endOfOptions(words));
  return !options.some((word) => NOT_INTERACTIVE.test(word)) && !isTool(words);
}

/** Whether these words have it do something else than talk. */
export function isTool(words: readonly string[]): boolean {
  const options = words.slice(0, endOfOptions(words));
  const first = options.find((word, index) => !word.startsWith('-') && !isTaken(options, index));
  return first !== undefined && SUBCOMMANDS.has(first);
}

/** What a command line names to be taken up again: a conversation, its place in a list, or a word. */
export function conversationResumedIn(argv: readonly string[]): string | undefined {
  return valueGiven(optionsIn(argv), RESUMES);
}

/** Whether a command line takes a conversation up again, whichever. */
export function isResumed(argv: readonly string[]): boolean {
  return optionsIn(argv).some(({ name }) => RESUMES.includes(name));
}

const RESUMES = ['--resume', '-r'];

/** The options that Gemini was given. */
export function optionsIn(argv: readonly string[]): readonly Given[] {
  return readWords(geminiArguments(argv) ?? [], OPTIONS).given;
}

function endOfOptions(words: readonly string[]): number {
  const end = words.indexOf('--');
  return end === -1 ? words.length : end;
}

function isTaken(words: readonly string[], index: number): boolean {
  return index > 0 && TAKES_A_WORD.test(words[index - 1] as string);
}
