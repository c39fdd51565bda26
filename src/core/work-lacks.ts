import { maskSecrets } from './mask-secrets.ts';
import type { GitSighting } from './sighting.ts';
import { visible } from './visible.ts';

type Repository = Extract<GitSighting, { state: 'repository' }>;

/** What keeps work from being saved, in words. */
export interface WorkLack {
  readonly text: string;
  /** What of it can be compared; null where nobody can tell whether anything is lacking. */
  readonly mark: string | null;
}

/** Files that no commit has. */
export function uncommitted({ dirtyFiles }: Pick<Repository, 'dirtyFiles'>): WorkLack | null {
  return dirtyFiles === 0 ? null : counted(dirtyFiles, 'uncommitted file');
}

/** Commits that no remote has. */
export function unpushed({
  hasRemote,
  isMerged,
  unpushedCommits,
}: Pick<Repository, 'hasRemote' | 'isMerged' | 'unpushedCommits'>): WorkLack | null {
  if (!hasRemote) return { text: 'no remote that anything was pushed to', mark: 'no-remote' };
  if (isMerged || unpushedCommits === 0) return null;
  return unpushedCommits === undefined
    ? { text: 'commits of which nobody can tell whether they are pushed', mark: null }
    : counted(unpushedCommits, 'unpushed commit');
}

const LONGEST_LINE = 200;

/** The last that a program said, behind how it ended; nothing where it said nothing. */
export function lastLineOf(output: string): string {
  const text = output.trim();
  const line = text.slice(text.lastIndexOf('\n') + 1).trim();
  return line === '' ? '' : ` (${visible(maskSecrets(line), LONGEST_LINE)})`;
}

function counted(amount: number, what: string): WorkLack {
  return { text: `${amount} ${what}${amount === 1 ? '' : 's'}`, mark: String(amount) };
}
