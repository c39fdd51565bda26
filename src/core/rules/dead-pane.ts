import type { PaneEvidence } from '../verdict/evidence.ts';
import type { Rule } from './rule.ts';

/** tmux kept the pane after its program ended (remain-on-exit). */
export const deadPane: Rule = ({ pane }) => {
  if (!pane?.isDead) return null;
  const { source, observedAt } = pane;
  const text = `the program ended ${ending(pane)}`;
  return { activity: 'exited', reason: { code: 'pane-dead', source, observedAt, text } };
};

/** How a dead pane's program ended, in words. tmux before 3.6 can lose the status (libutempter swallows SIGCHLD). */
export function ending(pane: PaneEvidence): string {
  if (pane.exitSignal !== undefined) return `by signal ${pane.exitSignal}`;
  if (pane.exitStatus !== undefined) return `with status ${pane.exitStatus}`;
  return 'with a status that tmux did not report';
}
