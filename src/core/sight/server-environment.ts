/**
 * The names in what `tmux show-environment -gs` prints: `NAME="value"; export NAME;`, where quotes in the value are escaped
 * and line breaks are not, and `unset NAME;` for none. A name has no `=` and is printed twice, so that no value can pass for
 * one; without `-s` any line of a value may. Null where not all of it is read that way.
 */
export function namesInEnvironment(printed: string): string[] | null {
  const names: string[] = [];
  for (let at = 0; at < printed.length; ) {
    const unset = unsetEnd(printed, at);
    if (unset !== -1) {
      at = unset;
      continue;
    }
    const equals = printed.indexOf('="', at);
    if (equals === -1) return null;
    const name = printed.slice(at, equals);
    const close = quoteEnd(printed, equals + 2);
    const end = `"; export ${name};\n`;
    if (name === '' || name.includes('=') || !printed.startsWith(end, close)) return null;
    names.push(name);
    at = close + end.length;
  }
  return names;
}

/** Where an entry that unsets a name ends; -1 where there is none. */
function unsetEnd(printed: string, at: number): number {
  if (!printed.startsWith('unset ', at)) return -1;
  const end = printed.indexOf(';\n', at + 'unset '.length + 1);
  return end === -1 || printed.slice(at, end).includes('=') ? -1 : end + 2;
}

/** Where the quote is that ends a value, or behind all of it. By hand: an expression keeps a note of every letter of a value of megabytes. */
function quoteEnd(printed: string, from: number): number {
  let at = from;
  while (at < printed.length && printed[at] !== '"') at += printed[at] === '\\' ? 2 : 1;
  return at;
}
