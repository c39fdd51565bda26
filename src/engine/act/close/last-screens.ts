import { isKept } from '../../../core/close/last-screen.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { Hands } from '../hands.ts';
import type { Subject } from './look-at.ts';

/** The panes of a session that is about to be removed, and the archive that has everything from before. */
export interface LastScreens {
  readonly panes: readonly Pick<PaneTarget, 'paneId' | 'pid'>[];
  readonly archiveId: string;
  /** Takes the digest of what is added. */
  readonly digests: Map<string, string>;
}

/**
 * Keeps what every pane shows right before its session is removed: what an agent says on its way out comes after the
 * archive, its own resume line above all. What could not be kept is told and stops nothing: the archive is complete
 * without it. Gives what to tell, in words for the receipt.
 */
export async function keepLastScreens(
  hands: Pick<Hands, 'tmux' | 'archive'>,
  { target }: Pick<Subject, 'target'>,
  { panes, archiveId, digests }: LastScreens,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { paneId, pid } of panes) {
    const history = await hands.tmux.history({ session: target, paneId, pid });
    if (history.state === 'captured') {
      if (isKept(history.text, hands.archive.screens(archiveId, paneId))) continue;
      const added = hands.archive.add(archiveId, paneId, history.text);
      if (added.state === 'written') {
        for (const [file, digest] of Object.entries(added.digests)) digests.set(file, digest);
      }
      if (added.state === 'failed') notes.push(notKept(paneId, added.text));
      else if (history.isCut) notes.push(`of what pane ${paneId} showed last, the beginning is not kept`);
    } else {
      notes.push(notKept(paneId, history.state === 'absent' ? 'it went away' : history.text));
    }
  }
  return notes;
}

function notKept(paneId: string, why: string): string {
  return `what pane ${paneId} showed last is not kept: ${why}`;
}
