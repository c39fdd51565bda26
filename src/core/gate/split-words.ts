/** A command line in words, or why it cannot be read as one. */
export type SplitLine =
  | { readonly state: 'words'; readonly words: readonly string[] }
  | { readonly state: 'wrong'; readonly text: string };

// A run of one kind: blanks, '…', "…", a backslash with what it protects, or plain characters.
const PIECE = /(\s+)|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y;

/** What a shell would do something with: there is none here, so that it would silently mean something else. */
const FOR_A_SHELL = /[|&;<>`$]/;

/**
 * Splits a command line into words as a shell would, by blanks, quotes and backslashes. Nothing is expanded and nothing is
 * run: what only a shell understands is refused where it is not quoted.
 */
export function splitWords(line: string): SplitLine {
  const words: string[] = [];
  let word: string | null = null;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < line.length) {
    const match = PIECE.exec(line);
    if (match === null) return { state: 'wrong', text: 'a quote or a backslash has no end' };
    const [, blanks, single, double, escaped, plain] = match;
    const special = plain === undefined ? null : FOR_A_SHELL.exec(plain);
    if (special) return { state: 'wrong', text: `no shell reads it, and '${special[0]}' is for a shell` };
    if (blanks !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word = `${word ?? ''}${single ?? unescaped(double) ?? escaped ?? plain}`;
  }
  if (word !== null) words.push(word);
  return { state: 'words', words };
}

// Within double quotes a backslash protects only these.
function unescaped(text: string | undefined): string | undefined {
  return text?.replaceAll(/\\([\\"$`])/g, '$1');
}
