/**
 * How what was asked for can end, for every surface: the exit code of a command, and the name that is the `code` of its
 * errors. Stable: scripts branch on them.
 */
export const EXIT_CODES = {
  done: { code: 0, means: 'done' },
  failed: { code: 1, means: 'failed' },
  usage: { code: 2, means: 'wrong usage, or a broken config file' },
  refused: { code: 3, means: 'refused: not safe, or protected' },
  'not-found': { code: 4, means: 'not found' },
  ambiguous: { code: 5, means: 'ambiguous: several sessions have this name' },
  'timed-out': { code: 6, means: 'timed out' },
  'lock-held': { code: 7, means: 'lock held by another' },
  'infrastructure-failure': { code: 8, means: 'infrastructure failure' },
  'daemon-needed': { code: 9, means: 'daemon needed and not reachable' },
} as const;

export type ExitName = keyof typeof EXIT_CODES;
