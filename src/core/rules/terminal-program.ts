import { lineageOf } from '../lineage.ts';
import type { Rule } from './rule.ts';

/** An editor, pager or the like is a terminal in use; a remote or contained one hides what goes on behind it. */
export const terminalProgram: Rule = ({ processes }) => {
  if (!processes) return null;
  const lineage = lineageOf(processes.processes);
  const program = processes.processes.find(
    (note) =>
      (note.role === 'interactive' || note.role === 'remote') &&
      note.relation !== 'outside' &&
      !lineage.isUnderAgent(note),
  );
  if (!program) return null;
  const isRemote = program.role === 'remote';
  return {
    activity: isRemote ? 'unknown' : 'none',
    since: program.startedAt,
    reason: {
      code: isRemote ? 'work-elsewhere' : 'interactive-program',
      source: 'process',
      observedAt: processes.observedAt,
      text: isRemote
        ? `${program.program} (pid ${program.pid}) runs work that cannot be seen from here`
        : `${program.program} (pid ${program.pid}) is open in a plain terminal`,
    },
  };
};
