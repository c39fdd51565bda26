import { isGone } from '../../../src/core/sight/roll.ts';
import type { JournalEntry } from '../machine/journal.ts';
import type { Law } from './law.ts';

/** The longest time between two rounds, and what a look may take. */
const BOUND_MS = 45_000;

/** While any of this happens nobody can promise a time. */
const EXCUSES: ReadonlySet<JournalEntry['what']> = new Set([
  'fault',
  'server-mood',
  'clock',
  'power-lost',
  'seat-ended',
  'disk',
]);

export const deathIsTold: Law = {
  name: 'death-is-told',
  sentence: 'a daemon that can see tells of every session and program that has ended, within its bound',
  watch({ machine, rounds }) {
    const ended = new Map<
      string,
      { readonly atMs: number; readonly label: string; readonly server: string }
    >();
    let excusedMs = 0;
    return {
      on(entry) {
        // Nor of what it saw right before somebody stopped it.
        const isPaused = entry.what === 'signalled' && entry.by === 'story';
        if (EXCUSES.has(entry.what) || isPaused) {
          ended.clear();
          excusedMs = Math.max(excusedMs, entry.at + (entry.what === 'fault' ? entry.forMs : 0));
        }
        if (entry.what === 'session-removed' && rounds.size > 0 && entry.at >= excusedMs)
          ended.set(entry.key, { atMs: entry.at, label: entry.session, server: entry.server });
        return null;
      },
      onRound({ roll }) {
        for (const [key, { atMs, label, server }] of ended) {
          const entry = roll.sessions.find((one) => one.key === key);
          // A server that gives no answer tells of nothing.
          const isMute = (machine.servers.get(server)?.mood ?? 'well') !== 'well';
          if (entry === undefined || isGone(entry) || isMute) ended.delete(key);
          else if (machine.clock.ms - atMs > BOUND_MS)
            return `${label} is gone, and still told as ${entry.lifecycle}`;
        }
        return null;
      },
      atEnd() {
        for (const { atMs, label } of ended.values())
          if (machine.clock.ms - atMs > BOUND_MS) return `${label} is gone, and no round has told so`;
        return null;
      },
    };
  },
};
