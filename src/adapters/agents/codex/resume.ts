/** The argv that brings a conversation back; Codex keeps one only from its first turn on. */
export function resumeOf(conversation: string | undefined, hasTurns: boolean): readonly string[] | undefined {
  return conversation !== undefined && hasTurns ? ['codex', 'resume', conversation] : undefined;
}
