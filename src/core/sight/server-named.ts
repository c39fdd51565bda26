/**
 * Whether one of these words names a server. With a slash a word is the path of its socket. Without one it is the label that
 * `tmux -L` takes, and so a socket in a folder that tmux made for its user: a socket elsewhere may have any name.
 */
export function isServerNamed(socketPath: string, words: readonly string[]): boolean {
  const label = labelIn(socketPath);
  return words.includes(socketPath) || (label !== null && words.includes(label));
}

/** A server as a person would name it: by its label where it has one, by its socket's path otherwise. */
export function serverWord(word: string): string {
  return labelIn(word) ?? word;
}

function labelIn(socketPath: string): string | null {
  return /\/tmux-\d+\/([^/]+)$/.exec(socketPath)?.[1] ?? null;
}
