import { lineageOf } from '../sight/lineage.ts';
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
  return {
    activity: agent === undefined ? 'none' : 'exited',
    reason: {
      code: agent === undefined ? 'plain-shell' : 'agent-exited',
      source: agent === undefined ? 'process' : 'history',
      observedAt: processes.observedAt,
      text:
        agent === undefined
          ? `a plain terminal: ${shell.program} (pid ${shell.pid}) at its prompt`
          : `${agent} has exited; only ${shell.program} (pid ${shell.pid}) is left`,
    },
  };
};
