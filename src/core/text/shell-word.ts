/** A text as one word for a POSIX shell, in quotes. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same, in quotes only where a shell asks for them. */
export function shellWord(text: string): string {
  return /^[\w+@/.,:-]+$/.test(text) ? text : quotedWord(text);
}
