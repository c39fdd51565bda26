/**
 * A line without the spaces at its end. An expression such as `/ +$/` would begin anew at each of a million spaces that a
 * letter follows.
 */
export function withoutBlanks(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === SPACE) end -= 1;
  return line.slice(0, end);
}

const SPACE = 0x20;
