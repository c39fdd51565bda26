/** A folder as prompts write it: whole, below the home folder, and with fish's single letters. */
export function pathsOf(cwd: string, home: string | null): string[] {
  const isHome = home !== null && home !== '/' && (cwd === home || cwd.startsWith(`${home}/`));
  const short = isHome ? `~${cwd.slice(home.length)}` : cwd;
  const letters = short.replace(/(?<=^|\/)(\.?[^/~])[^/]*(?=\/)/gu, '$1');
  return [cwd, short, letters];
}

/** The last part of a folder's path. */
export function nameOf(cwd: string): string {
  return cwd.slice(cwd.lastIndexOf('/') + 1);
}

/** A host's name without its domain. */
export function machineOf(host: string): string {
  return host.replace(/\..*/s, '');
}

/** A pattern for one of several texts. */
export function oneOf(texts: readonly string[]): string {
  return `(?:${[...new Set(texts)].filter(Boolean).map(escaped).join('|')})`;
}

/** A pattern for exactly this text. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
