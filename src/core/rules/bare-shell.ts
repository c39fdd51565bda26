import { lineageOf } from '../sight/lineage.ts';
import { named } from '../verdict/evidence.ts';
import type { Rule } from './rule.ts';

/** Only a shell is left. If an agent was seen in the pane it has exited; otherwise this is a plain terminal. */
export const bareShell: Rule = ({ processes, history }) => {
  if (!processes) return null;
  const lineage = lineageOf(processes.processes);
  const inside = processes.processes.filter(
    (note) => note.relation !== 'outside' && !lineage.isTransparent(note),
  );
  const shell = inside.find((note) => note.role === 'shell');
  const isBare = shell && inside.every((note) => note.role === 'shell' || note.relation === 'stopped');
  if (!isBare) return null;
  const agent = history?.agentSeen;
  const { observedAt } = processes;
  if (agent === undefined) {
    const text = `a plain terminal: ${named(shell)} at its prompt`;
    return { activity: 'none', reason: { code: 'plain-shell', source: 'process', observedAt, text } };
  }
  const text = `${agent} has exited; only ${named(shell)} is left`;
  return { activity: 'exited', reason: { code: 'agent-exited', source: 'history', observedAt, text } };
};
