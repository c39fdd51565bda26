import type { SessionEntry } from '../sight/roll.ts';
import type { Blocker } from '../verdict/verdict.ts';

/** Whether everything in a session is an agent whose conversation can be brought back: nothing else vouches for it. */
export function isResumable({ panes, evidence }: Pick<SessionEntry, 'panes' | 'evidence'>): boolean {
  const resumable = new Set(
    evidence.flatMap((piece) => (piece.kind === 'agent' && piece.resume?.length ? [piece.paneId] : [])),
  );
  return panes.length > 0 && panes.every(({ paneId }) => resumable.has(paneId));
}

const WAIVED_UNDER_PRESSURE: ReadonlySet<string> = new Set(['rested', 'work-saved']);

/** What pressure stands in for: time that has not passed yet, and work that stays on the disk as it is. */
export function isWaivedUnderPressure({ code, kind }: Pick<Blocker, 'code' | 'kind'>): boolean {
  return kind === 'unfinished' && WAIVED_UNDER_PRESSURE.has(code);
}
