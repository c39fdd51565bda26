import { isEndTold } from '../core/proven-end.ts';
import type { PaneSighting } from '../core/sighting.ts';
import { factsAbout } from './declared-standing.ts';
import type { Scene, ServerLook } from './look-at-server.ts';
import type { Parts } from './parts.ts';

/** Where tmux has missed that a program ended which rollcall started, it is made to notice; the next look sees it. */
export async function wakeUnsure(
  seen: readonly ServerLook[],
  { declared }: Pick<Scene, 'declared'>,
  { tmux }: Pick<Parts, 'tmux'>,
): Promise<void> {
  const unsure = seen.filter(({ sessions }) =>
    sessions.some(
      ({ key, session }) =>
        session.panes.some(isUnsure) && factsAbout(declared, key)?.origin?.run !== undefined,
    ),
  );
  await Promise.all(unsure.map(({ server }) => tmux.wake(server.socketPath)));
}

function isUnsure(pane: PaneSighting): boolean {
  return (pane.isDead || pane.hasNoTerminal === true) && !isEndTold(pane);
}
