import type { GitEvidence } from '../verdict/evidence.ts';
import { inShort, unsavedIn } from '../verdict/unsaved.ts';
import type { CheckAnswer, CheckRule } from './check.ts';

/**
 * Nothing uncommitted, unpushed or stashed in any working directory, nor on another branch or in a repository below it
 * since the session began; squash-merged work counts as pushed. A folder that is not seen may end with the session.
 */
export const workSaved: CheckRule = ({ facts }) => {
  const code = 'work-saved';
  const elsewhere = facts.panes.flatMap(({ processes, git }) => processes?.unseen ?? git?.unseen ?? [])[0];
  // Files stay on the disk as they are; those of a mount that goes with its last process do not.
  if (elsewhere !== undefined) return { code, kind: 'would-lose', state: 'unknown', text: elsewhere };
  const failed = facts.unavailable.find((piece) => piece.source === 'git');
  if (failed) return { code, state: 'unknown', text: failed.text };
  const all = facts.panes.map((pane) => saved(pane.git));
  const worst =
    all.find((check) => check.state === 'unmet') ?? all.find((check) => check.state === 'unknown') ?? all[0];
  return worst ? { code, ...worst } : { code, state: 'unknown', text: 'there is no pane to look at' };
};

function saved(piece: GitEvidence | undefined): Omit<CheckAnswer, 'code'> {
  if (!piece) return { state: 'unknown', text: 'git was not asked' };
  const { facts, since = 0 } = piece;
  if (facts.state === 'failed') return { state: 'unknown', text: facts.text };
  const { lacking, unknown, earlier } = unsavedIn(facts, since);
  if (lacking.length > 0) return { state: 'unmet', text: inShort(lacking) };
  if (unknown.length > 0) return { state: 'unknown', text: inShort(unknown) };
  const told = earlier.length === 0 ? '' : `; not of this session: ${inShort(earlier)}`;
  return { state: 'met', text: `${clean(facts)}${told}` };
}

function clean(facts: Exclude<GitEvidence['facts'], { state: 'failed' }>): string {
  if (facts.state === 'none') return 'its folder is in no git repository';
  const where = facts.branch === undefined ? 'a detached HEAD' : `branch ${facts.branch}`;
  return `nothing uncommitted, unpushed or stashed on ${where}`;
}
