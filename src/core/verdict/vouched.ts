import { isSpokenFor } from '../memory/spoken-for.ts';
import type { PaneFacts, VerdictFacts } from './facts.ts';

/**
 * Whether a completion speaks for a bare shell: it is the process that rollcall started in its pane, nothing runs below it,
 * and nobody has used it since. A terminal that somebody added, or a program that they started instead, is theirs.
 */
export function isVouchedShell(facts: VerdictFacts, pane: PaneFacts): boolean {
  const own = facts.standing?.origin?.pane;
  if (!own || own.paneId !== pane.paneId || !isSpokenFor(facts, pane)) return false;
  const inside = (pane.processes?.processes ?? []).filter(({ relation }) => relation !== 'outside');
  const [shell, ...others] = inside;
  return others.length === 0 && shell?.role === 'shell' && shell.relation === 'root' && shell.pid === own.pid;
}

/** Whether a completion speaks for all of a session without an agent. */
export function isVouched(facts: VerdictFacts): boolean {
  return facts.panes.length > 0 && facts.panes.every((pane) => isVouchedShell(facts, pane));
}
