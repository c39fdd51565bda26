import { lineageOf } from '../sight/lineage.ts';
import { named } from '../verdict/evidence.ts';
import type { Rule } from './rule.ts';

/**
 * An editor, pager or the like is a terminal in use; a remote or contained program hides what goes on behind it, also
 * when a pager shows its output. One that an editor keeps for itself is part of the editor.
 */
export const terminalProgram: Rule = ({ processes }) => {
  if (!processes) return null;
  const lineage = lineageOf(processes.processes);
  const inside = processes.processes.filter((note) => note.relation !== 'outside');
  const remote = inside.find((note) => note.role === 'remote' && !lineage.isHosted(note));
  const program = remote ?? inside.find((note) => note.role === 'interactive' && !lineage.isUnderAgent(note));
  if (!program) return null;
  const { source, observedAt } = processes;
  const { startedAt: since } = program;
  if (program === remote) {
    const text = `${named(program)} runs work that cannot be seen from here`;
    return { activity: 'unknown', since, reason: { code: 'work-elsewhere', source, observedAt, text } };
  }
  const text = `${named(program)} is open in a plain terminal`;
  return { activity: 'none', since, reason: { code: 'interactive-program', source, observedAt, text } };
};
