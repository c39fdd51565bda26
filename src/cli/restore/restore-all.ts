import type { RestoreReport } from '../../core/restore/report.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { LostSession } from '../../engine/act/restore/lost-sessions.ts';
import { type RestoreOrder, restoreSession } from '../../engine/act/restore/restore-session.ts';
import { atMost } from '../../operations/at-most.ts';

export interface RestoreAll extends RestoreOrder {
  readonly parallel: number;
  /** How many of all are done, and the one that just is; null before the first. */
  onProgress(done: number, report: RestoreReport | null): void;
}

/** Brings several sessions back, some at a time; what becomes of one does not keep another. */
export async function restoreAll(
  hands: Hands,
  lost: readonly LostSession[],
  { parallel, onProgress, ...order }: RestoreAll,
): Promise<RestoreReport[]> {
  let done = 0;
  onProgress(done, null);
  return atMost(parallel, lost, async (one) => {
    const report = await restoreSession(hands, one, order);
    done += 1;
    onProgress(done, report);
    return report;
  });
}
