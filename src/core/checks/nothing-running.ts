import type { ProcessNote } from '../evidence.ts';
import type { PaneFacts } from '../facts.ts';
import { lineageOf } from '../lineage.ts';
import type { CheckRule } from './check.ts';

/** Nothing runs in the panes but bare shells, or an agent at rest with children that it vouches for. */
export const nothingRunning: CheckRule = ({ facts }) => {
  const code = 'nothing-running';
  const isSeen = facts.panes.every((pane) => pane.pane?.isDead || pane.processes?.processes.length);
  if (!isSeen || facts.panes.length === 0)
    return { code, state: 'unknown', text: 'not all processes can be seen' };
  const running = facts.panes.flatMap((pane) => whatRuns(pane));
  const [first] = running;
  if (!first) return { code, state: 'met', text: 'nothing runs in it that closing would interrupt' };
  const more = running.length > 1 ? ` and ${running.length - 1} more` : '';
  return { code, state: 'unmet', text: `${first.program} (pid ${first.pid})${more} would be interrupted` };
};

function whatRuns({ processes, word }: PaneFacts): ProcessNote[] {
  const notes = processes?.processes ?? [];
  const lineage = lineageOf(notes);
  const isVouchedFor = word !== undefined && word.backgroundTasks === 0;
  return notes.filter(
    (note) =>
      note.relation !== 'outside' &&
      note.role !== 'shell' &&
      !(note.role === 'agent' && isVouchedFor) &&
      !lineage.isTransparent(note) &&
      !(isVouchedFor && lineage.isUnderAgent(note) && note.relation !== 'stopped'),
  );
}
