import { lineageOf } from '../sight/lineage.ts';
import { named } from '../verdict/evidence.ts';
import type { Rule } from './rule.ts';

/**
 * A command that has not returned is work, however quiet: a build, a pipeline that ends in `tail`, a job in the
 * background. One that has taken the whole screen may be anything, and is unknown. A program without a terminal is one too,
 * whatever it is: nobody can be at its prompt.
 */
export const runningCommand: Rule = ({ pane, processes }) => {
  if (!processes) return null;
  const lineage = lineageOf(processes.processes);
  const command = processes.processes.find(
    (note) =>
      (pane?.hasNoTerminal && note.relation === 'root') ||
      ((note.role === 'command' || note.role === 'wrapper') &&
        note.relation !== 'stopped' &&
        note.relation !== 'outside' &&
        !lineage.isTransparent(note) &&
        !lineage.isHosted(note)),
  );
  if (!command) return null;
  // A pager or editor at the end of a pipeline explains the full screen.
  const isExplained = processes.processes.some(
    (note) => note.role === 'interactive' && (note.relation === 'foreground' || note.relation === 'root'),
  );
  const isScreenProgram = pane?.isFullScreen === true && command.relation !== 'background' && !isExplained;
  const { source, observedAt } = processes;
  const { startedAt: since } = command;
  if (isScreenProgram) {
    const text = `${named(command)} holds the whole screen and is not known to rollcall`;
    return { activity: 'unknown', since, reason: { code: 'unknown-program', source, observedAt, text } };
  }
  const how = pane?.hasNoTerminal ? ', and has let go of its terminal' : '';
  const text = `${named(command)} has not returned${how}`;
  return { activity: 'working', since, reason: { code: 'command-running', source, observedAt, text } };
};
