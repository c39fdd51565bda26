import type { BelowFacts, RepositoryFacts } from '../sight/sighting.ts';
import { counted } from '../text/counted.ts';
import { maskSecrets } from '../text/mask-secrets.ts';
import { visible } from '../text/visible.ts';

/** What keeps work from being saved, in words. */
export interface WorkLack {
  readonly text: string;
  /** What of it can be compared; null where nobody can tell whether anything is lacking. */
  readonly mark: string | null;
}

/** Files that no commit has. */
export function uncommitted({ dirtyFiles }: Pick<RepositoryFacts, 'dirtyFiles'>): WorkLack | null {
  return dirtyFiles === 0 ? null : lackOf(dirtyFiles, 'uncommitted file');
}

/** Commits that no remote has, in a repository or in one of its submodules. */
export function unpushed(facts: PushFacts & { readonly below?: BelowFacts }): WorkLack | null {
  if (!facts.hasRemote) return { text: 'no remote that anything was pushed to', mark: 'no-remote' };
  if (isUnpushed(facts)) return unpushedOf(facts.unpushedCommits);
  for (const one of facts.below?.unsaved ?? []) {
    if (!one.isSubmodule || one.state === 'failed' || !isUnpushed(one)) continue;
    const { text, mark } = unpushedOf(one.unpushedCommits);
    return {
      text: `${text} in the submodule ${one.path}`,
      mark: mark === null ? null : `${one.path} ${mark}`,
    };
  }
  return null;
}

function unpushedOf(commits: number | undefined): WorkLack {
  return commits === undefined
    ? { text: 'commits of which nobody can tell whether they are pushed', mark: null }
    : lackOf(commits, 'unpushed commit');
}

type PushFacts = Pick<RepositoryFacts, 'hasRemote' | 'isMerged' | 'unpushedCommits'>;

function isUnpushed({ hasRemote, isMerged, unpushedCommits }: PushFacts): boolean {
  return hasRemote && !isMerged && unpushedCommits !== 0;
}

/** Whether a repository has anything that a supervisor should hear of. */
export function holdsUnsaved(facts: RepositoryFacts): boolean {
  const { dirtyFiles, stashes, branches, operation } = facts;
  const isLeftOpen = branches !== undefined || operation !== undefined;
  return dirtyFiles > 0 || stashes > 0 || isUnpushed(facts) || isLeftOpen;
}

const LONGEST_LINE = 200;

/** The last that a program said, behind how it ended; nothing where it said nothing. */
export function lastLineOf(output: string): string {
  const text = output.trim();
  const line = text.slice(text.lastIndexOf('\n') + 1).trim();
  return line === '' ? '' : ` (${visible(maskSecrets(line), LONGEST_LINE)})`;
}

function lackOf(amount: number, what: string): WorkLack {
  return { text: counted(amount, what), mark: String(amount) };
}
