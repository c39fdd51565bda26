/** The command line that opens a session again. */
export function resumeWords(session: string): readonly string[] {
  return ['opencode', '-s', session];
}
