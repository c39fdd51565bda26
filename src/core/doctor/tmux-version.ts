/** A tmux version as far as it can be compared: `3.3a` is 3, 3; `next-3.8` is what becomes 3.8. */
export interface TmuxVersion {
  readonly major: number;
  readonly minor: number;
}

/** Null for what has no number of its own, such as `master` or the one of OpenBSD. */
export function parseTmuxVersion(version: string): TmuxVersion | null {
  const match = /^(?:next-)?(\d{1,3})\.(\d{1,3})(?:[a-z]|-rc\d*)?$/.exec(version);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

/** Whether a version came before another. */
export function isBefore(version: TmuxVersion, other: TmuxVersion): boolean {
  return version.major < other.major || (version.major === other.major && version.minor < other.minor);
}
