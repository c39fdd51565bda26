/**
 * The command line that brings a conversation back. Without a transcript there is nothing to bring back: Claude Code
 * writes it with the first prompt, and answers `--resume` of an empty session with an error.
 */
export function resumeOf(
  conversation: string | undefined,
  transcript: string | undefined,
): readonly string[] | undefined {
  return conversation === undefined || transcript === undefined ? undefined : resumeWords(conversation);
}

export function resumeWords(conversation: string): readonly string[] {
  return ['claude', '--resume', conversation];
}
