import type { ScreenSighting } from '../../core/sight/sighting.ts';
import { captureBatch } from './capture-batch.ts';
import { isSocketPath } from './find-sockets.ts';
import type { RunTmux } from './run-tmux.ts';

export interface CaptureRequest {
  readonly socketPath: string;
  readonly paneIds: readonly string[];
  readonly now: () => number;
  /** The server that the pane ids belong to, where it is known. */
  readonly serverPid: number | undefined;
  /** Rows of history that are wanted before the screen. */
  readonly rowsAbove?: number;
}

/**
 * Captures screens in as few calls as they fit into, and answers for every pane that was asked for. A missing pane
 * ends its batch; the next one goes on behind it.
 */
export async function captureScreens(run: RunTmux, request: CaptureRequest): Promise<ScreenSighting[]> {
  const { socketPath, paneIds, now, serverPid, rowsAbove = 0 } = request;
  const answers = new Map<string, ScreenSighting>();
  let rest = isSocketPath(socketPath) ? [...new Set(paneIds)].filter((paneId) => PANE_ID.test(paneId)) : [];
  while (rest.length > 0) {
    const { sightings, stop } = await captureBatch(run, socketPath, rest, {
      observedAt: now(),
      serverPid,
      rowsAbove,
    });
    for (const sighting of sightings) answers.set(sighting.paneId, sighting);
    rest = rest.slice(sightings.length);
    if (stop === undefined) continue;
    for (const paneId of rest) answers.set(paneId, withoutScreen(stop, paneId, now()));
    break;
  }
  return paneIds.map((paneId) => answers.get(paneId) ?? withoutScreen(UNUSABLE, paneId, now()));
}

/** Only ids are targets: tmux matches names by prefix and pattern. */
const PANE_ID = /^%\d{1,9}$/;

type NoScreen = { readonly state: 'absent' } | { readonly state: 'failed'; readonly text: string };

const UNUSABLE: NoScreen = { state: 'failed', text: 'not a pane id on a usable socket path' };

function withoutScreen(why: NoScreen, paneId: string, observedAt: number): ScreenSighting {
  return why.state === 'absent'
    ? { state: 'absent', paneId, observedAt }
    : { state: 'failed', paneId, observedAt, text: why.text };
}
