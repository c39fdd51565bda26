import { bareShellsAmong, lineageOf } from '../sight/lineage.ts';
import type { ProcessNote } from '../verdict/evidence.ts';
import type { PaneFacts } from '../verdict/facts.ts';
import { speakerOf, spokenFor } from '../verdict/speaker.ts';
import { check, met, unknown, unmet } from './check.ts';

/**
 * Nothing runs in the panes but bare shells, or an agent at rest with helpers that it is known to keep. An agent's word
 * covers itself; a child that is no known helper may be work that it has forgotten.
 */
export const nothingRunning = check('nothing-running', ({ facts }) => {
  const isSeen = facts.panes.every(
    ({ pane, processes }) => pane?.isDead || processes?.processes.some((note) => note.relation === 'root'),
  );
  if (!isSeen || facts.panes.length === 0) return unknown('not all processes can be seen');
  const running = facts.panes.flatMap((pane) => whatRuns(pane));
  const [first] = running;
  if (!first) return met('nothing runs in it that closing would interrupt');
  const more = running.length > 1 ? ` and ${running.length - 1} more` : '';
  return unmet(`${first.program} (pid ${first.pid})${more} would be interrupted`);
});

function whatRuns(facts: PaneFacts): ProcessNote[] {
  const notes = facts.processes?.processes ?? [];
  const lineage = lineageOf(notes);
  const isCovered = spokenFor(facts);
  const hasTasks = facts.word?.backgroundTasks !== 0;
  const speaker = speakerOf(facts);
  const below = lineage.below(speaker === undefined ? [] : [speaker]);
  const isHelper = helpersAmong(notes);
  const isBareShell = bareShellsAmong(notes);
  // What carries an agent ends with it; what carries a shell (`timeout 1h bash`, `script`) stays with that.
  const carriers = lineage.above(notes.filter(isBareShell));
  return notes.filter(
    (note) =>
      note.relation !== 'outside' &&
      // Without a terminal nobody speaks for it, and no shell stands at a prompt.
      (facts.pane?.hasNoTerminal === true ||
        (!isBareShell(note) &&
          (carriers.has(note) ||
            (!lineage.isTransparent(note) &&
              (hasTasks || !isCovered(note) || (below.has(note) && !isHelper(note))))))),
  );
}

/** Known helpers, and a browser's own processes below it, which bear its name. */
function helpersAmong(notes: readonly ProcessNote[]): (note: ProcessNote) => boolean {
  const byPid = new Map(notes.map((note) => [note.pid, note]));
  return (note) => {
    const seen = new Set<number>();
    for (let at: ProcessNote | undefined = note; at?.program === note.program; at = byPid.get(at.parentPid)) {
      if (at.helper === 'browser' || (at === note && at.helper !== undefined)) return true;
      if (seen.has(at.pid)) return false;
      seen.add(at.pid);
    }
    return false;
  };
}
