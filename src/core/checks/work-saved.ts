import type { GitSighting } from '../sighting.ts';
import type { Check } from '../verdict.ts';
import type { CheckRule } from './check.ts';

/** Nothing uncommitted, unpushed or stashed in any working directory; squash-merged work counts as pushed. */
export const workSaved: CheckRule = ({ facts }) => {
  const code = 'work-saved';
  const failed = facts.unavailable.find((piece) => piece.source === 'git');
  if (failed) return { code, state: 'unknown', text: failed.text };
  const all = facts.panes.map((pane) => saved(pane.git?.facts));
  const worst =
    all.find((check) => check.state === 'unmet') ?? all.find((check) => check.state === 'unknown') ?? all[0];
  return worst ? { code, ...worst } : { code, state: 'unknown', text: 'there is no pane to look at' };
};

function saved(facts: GitSighting | undefined): Omit<Check, 'code'> {
  if (!facts) return { state: 'unknown', text: 'git was not asked' };
  if (facts.state === 'failed') return { state: 'unknown', text: facts.text };
  if (facts.state === 'none') return { state: 'met', text: 'its folder is in no git repository' };
  const where = facts.branch === undefined ? 'a detached HEAD' : `branch ${facts.branch}`;
  if (facts.dirtyFiles > 0)
    return { state: 'unmet', text: `${facts.dirtyFiles} uncommitted files on ${where}` };
  if (facts.stashes > 0) return { state: 'unmet', text: `${facts.stashes} stashes in the repository` };
  const unpushed = facts.hasRemote && !facts.isMerged ? facts.unpushedCommits : 0;
  if (unpushed === undefined) return { state: 'unknown', text: `whether ${where} is pushed cannot be told` };
  if (unpushed > 0) return { state: 'unmet', text: `${unpushed} unpushed commits on ${where}` };
  return { state: 'met', text: `nothing uncommitted, unpushed or stashed on ${where}` };
}
