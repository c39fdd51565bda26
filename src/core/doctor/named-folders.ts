import type { Roll, SessionEntry } from '../sight/roll.ts';
import type { StandingEvidence } from '../verdict/evidence.ts';
import type { CareSightings } from './sightings.ts';

/** Every folder or file that sessions name as theirs, for somebody to look whether it is still there. */
export function namedFolders(
  { sessions }: Pick<Roll, 'sessions'>,
  { orphanPattern }: Pick<CareSightings, 'orphanPattern'>,
): ReadonlySet<string> {
  const named = sessions.flatMap((entry) => [
    entry.owner,
    entry.task,
    worktreeOf(entry),
    orphanPattern(entry.name)?.owner ?? null,
    ...entry.panes.map(({ cwd }) => cwd),
  ]);
  return new Set(named.filter((path) => path?.startsWith('/') === true) as string[]);
}

/** The work tree that a session was claimed for. */
export function worktreeOf({ evidence }: SessionEntry): string | null {
  const standing = evidence.find((piece): piece is StandingEvidence => piece.kind === 'standing');
  return standing?.claims?.worktree ?? null;
}
