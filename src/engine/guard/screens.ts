import type { Guarded } from '../../core/guard/guarded.ts';
import type { PresentServer } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import type { GuardProbes } from '../../ports/guard.ts';

/** The end of a screen as it was last seen. */
export interface LastScreen {
  readonly at: number;
  readonly lines: readonly string[];
}

const TAIL_LINES = 20;
const LINE_LENGTH = 400;
/** tmux counts output in whole seconds. */
const OUTPUT_STEP_MS = 1000;

/** Keeps the last screen of each guarded pane: once a pane is gone, nobody can ask for it any more. */
export function createLastScreens({ server: { socketPath }, panes }: Guarded, probes: GuardProbes) {
  const screens = new Map<string, LastScreen>();
  const guarded = new Set(panes.map((pane) => pane.paneId));
  return {
    of: (paneId: string): LastScreen | null => screens.get(paneId) ?? null,
    /** Captures what wrote something since its last capture, or everything there is. */
    async refresh(server: PresentServer, isForced: boolean): Promise<void> {
      const present = server.sessions.flatMap((session) => session.panes);
      const wanted = present.filter(({ paneId, lastOutputAt }) => {
        const last = screens.get(paneId);
        const isNew = last === undefined || (lastOutputAt ?? Infinity) > last.at - OUTPUT_STEP_MS;
        return guarded.has(paneId) && (isForced || isNew);
      });
      const ids = [...new Set(wanted.map((pane) => pane.paneId))];
      if (ids.length === 0) return;
      for (const screen of await probes.capture(socketPath, server.pid, ids)) {
        if (screen.state !== 'captured') continue;
        screens.set(screen.paneId, { at: screen.observedAt, lines: tailOf(screen.lines) });
      }
    },
  };
}

// Runs of empty rows tell nothing: what a program wrote last may stand far above the bottom of its screen.
function tailOf(lines: readonly string[]): string[] {
  const written = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  const last = written.findLastIndex((line) => line !== '');
  return written
    .slice(Math.max(0, last + 1 - TAIL_LINES), last + 1)
    .map((line) => visible(line, LINE_LENGTH));
}
