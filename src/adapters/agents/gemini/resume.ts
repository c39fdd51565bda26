import type { HookMemory } from '../../../core/agent/hook-memory.ts';
import { isConversationId } from './hooks.ts';
import { geminiArguments } from './recognise.ts';

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
  return isKept && isConversationId(conversation) ? ['gemini', '--resume', conversation] : undefined;
}
