import type { AgentSign } from '../agent/sign.ts';
import type { AgentSignEvidence, Evidence } from '../verdict/evidence.ts';

/** What the sources of one pane's agent told. */
export function signsIn(evidence: readonly Evidence[], paneId: string): AgentSignEvidence[] {
  return evidence.filter((piece) => piece.kind === 'agent-sign').filter((sign) => sign.paneId === paneId);
}

// A hook, a record and the status of the same end may lie this far apart.
const SAME_EVENT_MS = 2000;

/** A completion of an agent: when it was said, and when the agent was first at rest after that, if it was yet. */
export interface SaidOfAgent {
  readonly at: number;
  readonly restedAt?: number | undefined;
}

/**
 * Whether an agent has begun another turn since a completion. A turn that began after it is another one, however soon,
 * and whether or not a look saw rest between them. Where no source tells the beginning, only an agent that was at rest can
 * show it: one of its sources shows it at work now, or tells of an event that came later.
 */
export function hasLaterTurn(
  signs: readonly Pick<AgentSign, 'turn' | 'isLive' | 'since' | 'beganAt'>[],
  { at, restedAt }: SaidOfAgent,
): boolean {
  return signs.some(({ turn, isLive, since = 0, beganAt = 0 }) => {
    // The time of one event by the clock that the completion was timed with: there is no slack to give.
    if (beganAt > at) return true;
    if (turn === undefined || restedAt === undefined) return false;
    return (turn === 'running' && isLive) || since > restedAt + SAME_EVENT_MS;
  });
}
