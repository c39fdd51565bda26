/**
 * The names in what `tmux show-environment -gs` prints: `NAME="value"; export NAME;`, where quotes in the value are escaped
 * and line breaks are not, and `unset NAME;` for none. A name has no `=` and is printed twice, so that no value can pass for
 * one; without `-s` any line of a value may. Null where not all of it is read that way.
 */
export function namesInEnvironment(printed: string): string[] | null {
  const names: string[] = [];
  const entry = /(?:([^=]+)="(?:[^"\\]|\\.)*"; export \1;|unset [^=]+?;)\n/sy;
  let end = 0;
  for (let found = entry.exec(printed); found !== null; found = entry.exec(printed)) {
    end = entry.lastIndex;
    if (found[1] !== undefined) names.push(found[1]);
  }
  return end === printed.length ? names : null;
}
