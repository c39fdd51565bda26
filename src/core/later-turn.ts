import type { AgentSign } from './agent/sign.ts';
import type { AgentSignEvidence, Evidence } from './evidence.ts';

/** What the sources of one pane's agent told. */
export function signsIn(evidence: readonly Evidence[], paneId: string): AgentSignEvidence[] {
  return evidence.filter((piece) => piece.kind === 'agent-sign').filter((sign) => sign.paneId === paneId);
}

// A hook, a record and the status of the same event may lie this far apart.
const SAME_EVENT_MS = 2000;

/**
 * Whether an agent that was at rest has begun another turn since: one of its sources shows it at work now, or tells of an
 * event that came later. Undefined: it has not been at rest yet.
 */
export function hasLaterTurn(
  signs: readonly Pick<AgentSign, 'turn' | 'isLive' | 'since'>[],
  restedAt: number | undefined,
): boolean {
  if (restedAt === undefined) return false;
  return signs.some(({ turn, isLive, since = 0 }) => {
    if (turn === undefined) return false;
    return (turn === 'running' && isLive) || since > restedAt + SAME_EVENT_MS;
  });
}
