import { firstRecordOf, workSince } from '../core/work-since.ts';
import { factsIn } from './declared-standing.ts';
import type { Scene, SessionLook } from './look-at-server.ts';

/** From when on unsaved work may be that of a session. */
export function sinceOf(
  { key, session, panes, evidence }: SessionLook,
  { declared, now }: Pick<Scene, 'declared' | 'now'>,
): number {
  const dead = panes.filter(({ sighting }) => sighting.isDead);
  const beginnings = {
    createdAt: session.createdAtSeconds * 1000,
    startedAt: panes.flatMap(({ processes }) => processes.map(({ startedAt }) => startedAt)),
    deadAt: dead.flatMap(({ sighting }) => sighting.lastOutputAt ?? []),
    recordedAt: firstRecordOf(key, factsIn(declared)),
  };
  const clock = evidence.find((piece) => piece.kind === 'clock');
  return workSince(beginnings, clock, now.at);
}
