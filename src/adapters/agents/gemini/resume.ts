import { isConversationId } from './hooks.ts';

/** The argv that brings a conversation back. */
export function resumeArgv(conversation: string): readonly string[] | undefined {
  return isConversationId(conversation) ? ['gemini', '--resume', conversation] : undefined;
}
