import type { ScreenSighting } from '../../core/sight/sighting.ts';
import type { TmuxSensor } from '../../ports/sensor.ts';

/** A pane whose screen is wanted, as this look's listing saw it. */
export interface WantedPane {
  readonly paneId: string;
  readonly pid: number;
  readonly lastOutputAt?: number;
}

/** Gives screens, and captures only those that may have changed since they were last captured. */
export interface ScreenKeeper {
  screensOf(
    server: { readonly socketPath: string; readonly pid: number; readonly observedAt: number },
    panes: readonly WantedPane[],
  ): Promise<Map<string, ScreenSighting>>;
}

/** A screen, and the last output that it was captured after. */
interface Kept {
  readonly screen: Extract<ScreenSighting, { state: 'captured' }>;
  readonly lastOutputAt: number | undefined;
}

/** tmux tells the time of the last output in whole seconds: only what is older than that second is told from later output. */
const GRAIN_MS = 1000;
const MAX_KEPT = 5000;

export function createScreenKeeper(capture: TmuxSensor['capture']): ScreenKeeper {
  const kept = new Map<string, Kept>();
  const keyOf = (server: { readonly socketPath: string; readonly pid: number }, pane: WantedPane) =>
    `${server.pid} ${pane.paneId} ${pane.pid} ${server.socketPath}`;
  return {
    async screensOf(server, panes) {
      const screens = new Map<string, ScreenSighting>();
      const changed: WantedPane[] = [];
      for (const pane of panes) {
        const known = kept.get(keyOf(server, pane));
        // What was true when it was captured is still true: the listing vouches that nothing was written since.
        if (known && isUnchanged(known, pane, server.observedAt)) {
          screens.set(pane.paneId, { ...known.screen, observedAt: server.observedAt });
        } else changed.push(pane);
      }
      if (changed.length === 0) return screens;
      const paneIds = changed.map((pane) => pane.paneId);
      for (const [index, screen] of (await capture(server.socketPath, paneIds)).entries()) {
        const pane = changed[index] as WantedPane;
        const key = keyOf(server, pane);
        if (kept.size >= MAX_KEPT) kept.clear();
        if (screen.state === 'captured') kept.set(key, { screen, lastOutputAt: pane.lastOutputAt });
        else kept.delete(key);
        screens.set(screen.paneId, screen);
      }
      return screens;
    },
  };
}

// Where the clock was set back, what is written now seems older than the screen.
function isUnchanged({ screen, lastOutputAt }: Kept, pane: WantedPane, now: number): boolean {
  const isInOrder = screen.observedAt <= now && lastOutputAt === pane.lastOutputAt;
  return isInOrder && isUnchangedSince(screen.observedAt, pane.lastOutputAt);
}

/** Whether nothing was written to a pane since its screen was captured. */
export function isUnchangedSince(capturedAt: number, lastOutputAt: number | undefined): boolean {
  return lastOutputAt !== undefined && lastOutputAt + GRAIN_MS < capturedAt;
}
