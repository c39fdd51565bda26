import type { ConversationChoice } from '../../../core/agent/choice.ts';
import type { HookMemory } from '../../../core/agent/hook-memory.ts';
import { type Given, optionTable, readWords, takesNext, valueGiven } from '../common/option-words.ts';
import { resumesBy } from '../common/resumed-words.ts';
import { argumentsOf } from '../common/started-by.ts';

const SIGNATURE = { programs: ['gemini'], packages: ['@google/gemini-cli'] };

// Words behind which no one sits at a prompt: one answer, a listing, or another program's protocol.
const NOT_INTERACTIVE =
  /^(?:-[a-oq-zA-Z]*p|--prompt|--acp|--experimental-acp|-[vhl]|--version|--help|--list-extensions|--list-sessions|--delete-session)(?:=|$)/;
const SUBCOMMANDS = new Set(['mcp', 'extensions', 'extension', 'skills', 'skill', 'hooks', 'hook', 'gemma']);
const RESUMES = ['--resume', '-r'];
const CONVERSATION_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a command line is Gemini at its prompt, before or after it has started itself anew with more memory. */
export function recognisesGemini(argv: readonly string[]): boolean {
  const words = argumentsOf(argv, SIGNATURE);
  if (words === null) return false;
  return !beforeEnd(words).some((word) => NOT_INTERACTIVE.test(word)) && !isTool(words);
}

/** How a command line comes to its conversation: `--resume` also takes `latest`, a place in a list, or nothing. */
export function choice(argv: readonly string[]): ConversationChoice | null {
  const words = argumentsOf(argv, SIGNATURE);
  if (words === null || isTool(words)) return null;
  const given = optionsIn(argv);
  if (isConversationId(valueGiven(given, ['--session-id', ...RESUMES]))) return { how: 'own' };
  return { how: given.some(({ option }) => option?.fate === 'conversation') ? 'open' : 'new' };
}

/** The conversation that a command line takes up again by its id. */
export function conversationResumedIn(argv: readonly string[]): string | null {
  const resumed = valueGiven(optionsIn(argv), RESUMES);
  return isConversationId(resumed) ? resumed : null;
}

/** Whether a word is the id of a conversation, as Gemini makes them. */
export function isConversationId(word: unknown): word is string {
  return typeof word === 'string' && CONVERSATION_ID.test(word);
}

/**
 * The argv that brings a conversation back; undefined if it is not known to be kept. Gemini discards a conversation
 * without any prompt: so a prompt must have been heard, or it was brought back before.
 */
export function resumeArgv({ conversation, turn }: HookMemory, argv: readonly string[]) {
  const isKept = turn !== undefined || optionsIn(argv).some(({ name }) => RESUMES.includes(name));
  return isKept && isConversationId(conversation) ? resume(conversation).argv : undefined;
}

/** Whether these words have it do something else than talk. */
function isTool(words: readonly string[]): boolean {
  const options = beforeEnd(words);
  const first = options.find((word, at) => !word.startsWith('-') && !takesNext(options[at - 1], OPTIONS));
  return first !== undefined && SUBCOMMANDS.has(first);
}

function beforeEnd(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

function optionsIn(argv: readonly string[]): readonly Given[] {
  return readWords(argumentsOf(argv, SIGNATURE) ?? [], OPTIONS).given;
}

// `gemini --help`, 0.61. Its lists take one word each.
const OPTIONS = optionTable({
  kept: {
    truth:
      '-d --debug --skip-trust -s --sandbox -y --yolo --screen-reader --raw-output --accept-raw-output-risk',
    word:
      '-m --model --approval-mode --policy --admin-policy --allowed-mcp-server-names --allowed-tools -e --extensions ' +
      '--include-directories -o --output-format',
  },
  conversation: { word: '--session-id --session-file', maybe: '-r --resume' },
  prompt: { word: '-i --prompt-interactive' },
  once: { maybe: '-w --worktree' },
});

export const resume = resumesBy({ signature: SIGNATURE, options: OPTIONS, words: (id) => ['--resume', id] });
