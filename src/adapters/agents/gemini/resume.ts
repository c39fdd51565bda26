import type { HookMemory } from '../../../core/agent/hook-memory.ts';
import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { resumption } from '../common/resumed-words.ts';
import { isConversationId } from './hooks.ts';
import { OPTIONS } from './options.ts';
import { isResumed, STARTED_BY } from './recognise.ts';

/**
 * The argv that brings a conversation back; undefined where nothing is known to be kept. Gemini throws a conversation
 * away in which nothing was asked, so that a prompt must have been heard, or it must have been brought back before.
 */
export function resumeArgv(
  { conversation, turn }: HookMemory,
  argv: readonly string[],
): readonly string[] | undefined {
  const isKept = turn !== undefined || isResumed(argv);
  return isKept && isConversationId(conversation) ? resume(conversation).argv : undefined;
}

/** The same program with the same options on its conversation. */
export function resume(conversation: string | null, startedAs?: StartedAs): Resumption {
  const manner = { signature: STARTED_BY, options: OPTIONS, words: (id: string) => ['--resume', id] };
  return resumption(manner, conversation, startedAs);
}
