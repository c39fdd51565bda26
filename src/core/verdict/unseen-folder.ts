import type { UnseenFolder } from '../sight/process.ts';
import { visible } from '../text/visible.ts';
import { named, type ProcessNote } from './evidence.ts';

type Named = Pick<ProcessNote, 'pid' | 'program'>;

interface Worker {
  readonly note: Named & Pick<ProcessNote, 'relation'>;
  readonly unseen?: UnseenFolder;
}

/**
 * Why what a pane works in cannot be seen, or null. The folder of the program in front has to be seen; of all others only those
 * count that are known to be elsewhere, because browsers hide what they start. What left the pane does not end with it.
 */
export function unseenIn(readings: readonly Worker[], front: Worker | undefined): string | null {
  if (front?.unseen === 'hidden') return `the folder of ${named(front.note)} cannot be read`;
  const away = [front, ...readings].find(
    (one) => one?.unseen === 'elsewhere' && one.note.relation !== 'outside',
  );
  return away ? `the folder of ${named(away.note)} is ${ELSEWHERE}` : null;
}

/** What is said of files that another process has and rollcall does not see. */
export const ELSEWHERE =
  'in another mount namespace; what is in it cannot be seen, and may end with its program';

/** Why a folder that lost its path cannot be seen. */
export function covered(worker: Named): string {
  return `the folder of ${named(worker)} is no longer at its path: it was unmounted, or something was mounted over it`;
}

/** Why the repository around a folder cannot be seen, although the folder can. */
export function foreignRepository(worker: Named): string {
  return `the repository of ${named(worker)} is ${ELSEWHERE}`;
}

/** Why files beside the folder, in the work tree around it, cannot be seen. */
export function foreignWorkTree(worker: Named, root: string): string {
  return `part of the work tree ${visible(root, 200)} of ${named(worker)} is ${ELSEWHERE}`;
}
