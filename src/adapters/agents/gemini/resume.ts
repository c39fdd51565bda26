import type { HookMemory } from '../../../core/agent/hook-memory.ts';
import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { optionTable, resumption } from '../common/resumed-words.ts';
import { isConversationId } from './hooks.ts';
import { geminiArguments, STARTED_BY } from './recognise.ts';

/**
 * The argv that brings a conversation back; undefined where nothing is known to be kept. Gemini throws a conversation
 * away in which nothing was asked, so that a prompt must have been heard, or it must have been brought back before.
 */
export function resumeArgv(
  { conversation, turn }: HookMemory,
  argv: readonly string[],
): readonly string[] | undefined {
  const wasResumed = geminiArguments(argv)?.some((word) => /^(?:-r|--resume)(?:=|$)/.test(word)) ?? false;
  const isKept = turn !== undefined || wasResumed;
  return isKept && isConversationId(conversation) ? resume(conversation).argv : undefined;
}

/** The same program with the same options on its conversation. */
export function resume(conversation: string | null, startedAs?: StartedAs): Resumption {
  const manner = { signature: STARTED_BY, options: OPTIONS, words: (id: string) => ['--resume', id] };
  return resumption(manner, conversation, startedAs);
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
