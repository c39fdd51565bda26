import type { GitEvidence } from '../verdict/evidence.ts';
import { inShort, unsavedIn } from '../verdict/unsaved.ts';
import { type Answer, check, met, unknown, unmet, worstOf } from './check.ts';

/**
 * Nothing uncommitted, unpushed or stashed in any working directory, nor on another branch or in a repository below it
 * since the session began; squash-merged work counts as pushed. A folder that is not seen may end with the session.
 */
export const workSaved = check('work-saved', ({ facts }) => {
  const elsewhere = facts.panes.flatMap(({ processes, git }) => processes?.unseen ?? git?.unseen ?? [])[0];
  // Files stay on the disk as they are; those of a mount that goes with its last process do not.
  if (elsewhere !== undefined) return { kind: 'would-lose', state: 'unknown', text: elsewhere };
  const failed = facts.unavailable.find((piece) => piece.source === 'git');
  if (failed) return unknown(failed.text);
  return worstOf(facts.panes.map((pane) => saved(pane.git))) ?? unknown('there is no pane to look at');
});

function saved(piece: GitEvidence | undefined): Answer {
  if (!piece) return unknown('git was not asked');
  const { facts, since = 0 } = piece;
  if (facts.state === 'failed') return unknown(facts.text);
  const { lacking, unknown: untold, earlier } = unsavedIn(facts, since);
  if (lacking.length > 0) return unmet(inShort(lacking));
  if (untold.length > 0) return unknown(inShort(untold));
  const told = earlier.length === 0 ? '' : `; not of this session: ${inShort(earlier)}`;
  return met(`${clean(facts)}${told}`);
}

function clean(facts: Exclude<GitEvidence['facts'], { state: 'failed' }>): string {
  if (facts.state === 'none') return 'its folder is in no git repository';
  const where = facts.branch === undefined ? 'a detached HEAD' : `branch ${facts.branch}`;
  return `nothing uncommitted, unpushed or stashed on ${where}`;
}
