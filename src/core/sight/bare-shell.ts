import type { ProcessNote } from '../verdict/evidence.ts';
import { lineageOf } from './lineage.ts';

/**
 * Which of a pane's processes are shells that stand in front and may wait for a person, or wait in the place of an agent that
 * sleeps. A shell in the background, or a
 * stopped one, is a job (`( … ) &`); one below an agent, an editor or the like runs what that told it.
 */
export function bareShellsAmong(notes: readonly ProcessNote[]): (note: ProcessNote) => boolean {
  const lineage = lineageOf(notes);
  return (note) =>
    (note.role === 'sleeper' && note.relation === 'root') ||
    (note.role === 'shell' &&
      (note.relation === 'root' || note.relation === 'foreground') &&
      !lineage.isHosted(note));
}
