import type { UnheardHooks } from '../../ports/hook-log.ts';
import type { ListedFile, UnfinishedOf } from './read-event.ts';

/** A file of the spool whose hook still writes it, or has died. */
export type Unfinished = ListedFile & { readonly of: UnfinishedOf };

const FINISHED_WITHIN_MS = 60_000;
const LEFT_BEHIND_MS = 60 * 60 * 1000;
/** A hook that has just made its file writes the header within a fraction of this. */
const BEGUN_WITHIN_MS = 1000;

/** Whether it is worth a moment to see who writes it. */
export const isBeginning = (file: Unfinished): boolean =>
  file.of === 'somebody' && ageMs(file) < BEGUN_WITHIN_MS;

/** Whether it is looked at again although nothing else came. */
export const isStillAsked = (file: Unfinished): boolean => file.of !== 'nobody' || isYoung(file);

/** Nobody will finish it. A hook that wrote its header may be stopped and continue; one that did not was killed. */
export const isGivenUp = (file: Unfinished): boolean =>
  file.of === 'somebody' ? !isYoung(file) : isLeftBehind(file);

export const isLeftBehind = (file: ListedFile): boolean => ageMs(file) > LEFT_BEHIND_MS;

export function isSame(a: ListedFile | undefined, b: ListedFile): boolean {
  return a?.modifiedNs === b.modifiedNs && a.size === b.size;
}

/** What is not in memory, and whose it may be. */
export function unheardIn(missing: {
  readonly doubt: string | null;
  readonly waiting: number;
  readonly unfinished: readonly Unfinished[];
  readonly lostAt: number;
}): readonly UnheardHooks[] {
  const { doubt, waiting, unfinished, lostAt } = missing;
  return [
    ...(doubt === null ? [] : [{ text: doubt, of: 'anyone' as const }]),
    ...(waiting === 0 ? [] : [{ text: waitingText(waiting), of: 'anyone' as const }]),
    ...unfinished.flatMap(unheardOf),
    ...(lostAt === 0 ? [] : [{ text: LOST, of: { silentSince: lostAt } }]),
  ];
}

const LOST = 'what its hooks told before may have been lost';

/** What it keeps from being heard. */
function unheardOf({ of }: Unfinished): UnheardHooks[] {
  if (of === 'nobody') return [];
  if (of === 'somebody') return [{ text: 'a hook event has just begun to be written', of: 'anyone' }];
  return [{ text: `its hook ${of.event} has not finished its event`, of }];
}

export function waitingText(count: number): string {
  return count === 1 ? '1 hook event still waits to be read' : `${count} hook events still wait to be read`;
}

function isYoung(file: ListedFile): boolean {
  return ageMs(file) < FINISHED_WITHIN_MS;
}

function ageMs({ modifiedNs }: ListedFile): number {
  return Date.now() - Number(modifiedNs / 1_000_000n);
}
