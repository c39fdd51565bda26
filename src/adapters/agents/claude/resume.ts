import type { Resumption, StartedAs } from '../../../core/agent/resumption.ts';
import { resumption } from '../common/resumed-words.ts';
import { OPTIONS } from './options.ts';
import { SIGNATURE } from './recognise.ts';

/**
 * The command line that brings a conversation back. Without a transcript there is nothing to bring back: Claude Code
 * writes it with the first prompt, and answers `--resume` of an empty session with an error.
 */
export function resumeOf(
  conversation: string | undefined,
  transcript: string | undefined,
): readonly string[] | undefined {
  return conversation === undefined || transcript === undefined ? undefined : resume(conversation).argv;
}

/** The same program with the same options on its conversation. */
export function resume(conversation: string | null, startedAs?: StartedAs): Resumption {
  const manner = { signature: SIGNATURE, options: OPTIONS, words: (id: string) => ['--resume', id] };
  return resumption(manner, conversation, startedAs);
}
