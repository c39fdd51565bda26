import { createHash } from 'node:crypto';
import { grouped } from '../../core/grouped.ts';
import type { ScreenMark } from '../../core/reaper/fingerprint.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { ScreenSighting } from '../../core/sight/sighting.ts';
import type { TmuxSensor } from '../../ports/sensor.ts';

/**
 * What the screens of these sessions show, byte for byte, in one word for each session. Captured anew each time: that
 * tmux tells of no output is no proof that a screen stood still.
 */
export async function screenMarks(
  { capture }: Pick<TmuxSensor, 'capture'>,
  entries: readonly SessionEntry[],
): Promise<Map<string, ScreenMark>> {
  const byServer = grouped(entries, ({ server }) => server.socketPath);
  const marks = await Promise.all(
    [...byServer].map(async ([socketPath, sessions]) => {
      const paneIds = sessions.flatMap(({ panes }) => panes.map(({ paneId }) => paneId));
      const screens = new Map((await capture(socketPath, paneIds)).map((one) => [one.paneId, one]));
      return sessions.map((entry) => [entry.key, markOf(entry, screens)] as const);
    }),
  );
  return new Map(marks.flat());
}

function markOf({ panes }: SessionEntry, screens: ReadonlyMap<string, ScreenSighting>): ScreenMark {
  const hash = createHash('sha256');
  for (const { paneId } of panes) {
    const screen = screens.get(paneId);
    if (screen?.state !== 'captured') return null;
    hash.update(JSON.stringify([paneId, screen.styled, screen.lines, screen.cursor]));
  }
  return hash.digest('hex');
}
