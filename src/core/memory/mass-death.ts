import type { Moment } from '../text/moment.ts';
import type { RememberedServer } from './recollection.ts';

/** From this many panes on, and this share of them, deaths between two looks are a fault of the system. */
const MIN_DEAD = 3;
const DEAD_SHARE = 0.8;

/**
 * Nearly everything dead in one sweep is not so many ends, but one fault (a full disk, a killed login scope, an
 * out-of-memory sweep). It stays in doubt until `holdMs` of awake time have passed.
 */
export function massDeath(
  before: RememberedServer | undefined,
  alivePaneIds: ReadonlySet<string>,
  now: Moment,
  holdMs: number,
): RememberedServer['massDeath'] {
  if (!before) return undefined;
  const panes = Object.values(before.sessions).flatMap((session) => Object.entries(session.panes));
  const wereAlive = [...new Set(panes.filter(([, pane]) => !pane.isDead).map(([paneId]) => paneId))];
  const dead = wereAlive.filter((paneId) => !alivePaneIds.has(paneId)).length;
  if (dead >= MIN_DEAD && dead >= wereAlive.length * DEAD_SHARE) {
    return { awakeMs: now.awakeMs, dead, of: wereAlive.length };
  }
  const held = before.massDeath;
  return held && now.awakeMs - held.awakeMs < holdMs ? held : undefined;
}
