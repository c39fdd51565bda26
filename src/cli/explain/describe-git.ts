import type { BelowFacts, GitSighting, RepositoryFacts } from '../../core/sight/sighting.ts';
import { counted } from '../../core/text/counted.ts';

/** What git says about a folder, in words. */
export function describeGit(facts: GitSighting): string {
  switch (facts.state) {
    case 'none':
      return sentence([`${facts.cwd} is not a git repository`, ...describeBelow(facts.below)]);
    case 'failed':
      return `git could not tell about ${facts.cwd}: ${facts.text}`;
    case 'repository':
      return sentence([
        `${facts.root} on ${facts.branch === undefined ? 'a detached HEAD' : `branch ${facts.branch}`}`,
        facts.isLinkedWorktree && 'a linked worktree',
        facts.dirtyFiles === 0 ? 'clean' : `${counted(facts.dirtyFiles, 'file')} not committed`,
        describeUnpushed(facts),
        facts.stashes > 0 && counted(facts.stashes, 'stash', 'stashes'),
        facts.isMerged && 'merged',
        describeOperation(facts),
        describeBranches(facts),
        ...describeBelow(facts.below),
      ]);
  }
}

/** Several that look alike are told by the newest. */
function describeBranches({ branches = [] }: RepositoryFacts): string | false {
  const [newest] = branches;
  if (newest === undefined) return false;
  const commits = newest.commits === undefined ? 'commits' : counted(newest.commits, 'commit');
  const more = branches.length > 1 ? ` and ${branches.length - 1} more` : '';
  return `${commits} not pushed on ${newest.isTag ? 'tag' : 'branch'} ${newest.name}${more}`;
}

function describeOperation({ operation }: RepositoryFacts): string | false {
  return operation !== undefined && `a ${operation} in progress`;
}

const SHOWN_BELOW = 5;

function describeBelow(below: BelowFacts | undefined): (string | false)[] {
  if (below === undefined) return [];
  const { unsaved } = below;
  const amount = counted(below.count, 'repository', 'repositories');
  return [
    `${amount} below it${below.isCut ? ' (not every folder was looked into)' : ''}`,
    ...unsaved.slice(0, SHOWN_BELOW).map((one) => {
      const where = `${one.isSubmodule ? 'submodule ' : ''}${one.path}`;
      return one.state === 'failed' ? `${where}: ${one.text}` : `${where}: ${describeRepository(one)}`;
    }),
    unsaved.length > SHOWN_BELOW && `${unsaved.length - SHOWN_BELOW} more below with something unsaved`,
  ];
}

function describeRepository(facts: RepositoryFacts): string {
  return [
    facts.dirtyFiles > 0 && `${counted(facts.dirtyFiles, 'file')} not committed`,
    facts.unpushedCommits !== 0 && !facts.isMerged && describeUnpushed(facts),
    facts.stashes > 0 && counted(facts.stashes, 'stash', 'stashes'),
    describeOperation(facts),
    describeBranches(facts),
  ]
    .filter((text) => text !== false)
    .join(' and ');
}

function describeUnpushed(facts: RepositoryFacts): string {
  if (!facts.hasRemote) return 'no remote';
  if (facts.unpushedCommits === undefined) return 'not known whether all is pushed';
  return facts.unpushedCommits === 0
    ? 'nothing unpushed'
    : `${counted(facts.unpushedCommits, 'commit')} not pushed`;
}

/** Those parts that there are, as one sentence. */
export function sentence(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(', ');
}
