/** A text as one word for a POSIX shell, in quotes. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as one word for a POSIX shell, in quotes only where they are needed. */
export function shellWord(text: string): string {
  return /^[\w+@/.,:-]+$/.test(text) ? text : quotedWord(text);
}
