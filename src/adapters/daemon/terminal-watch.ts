import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { leadsElsewhere, mountsIn } from '../../core/sight/mounts.ts';
import type { Round } from '../../core/supervision/round.ts';
import type { DaemonLog, WakeSource } from '../../ports/daemon.ts';
import { statFields, textAt } from '../files/look.ts';
import { createFolderWatch } from './folder-watch.ts';

const TERMINALS = '/dev/pts';
/** UNIX98_PTY_SLAVE_MAJOR of the kernel. */
const TERMINAL_MAJOR = 136;
/** A terminal is changed when it comes, and by whoever is let in or kept out: that is seldom. */
const MOST_CHANGES = 20;
/** So many may come and go at once, as when a large server ends. */
const MOST_EVENTS = 500;
const WITHIN_MS = 1000;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

export interface TerminalWatch extends WakeSource {
  /** Whether the end of every pane of the last round would be heard. */
  hearsAll(): boolean;
}

/**
 * Hears that the terminal of a pane goes, which the kernel tells of every terminal the moment tmux lets go of it: most deaths are
 * told so at once, and the waiting costs nothing. What it cannot hear, as in a container, the pulse feels. Where so much happens
 * in the folder that listening would be dear it pauses, each time for longer.
 */
export function createTerminalWatch({
  log,
  folder = TERMINALS,
  procRoot = '/proc',
  elapsedMs = () => performance.now(),
}: {
  readonly log: DaemonLog;
  readonly folder?: string;
  readonly procRoot?: string;
  readonly elapsedMs?: () => number;
}): TerminalWatch {
  let own = new Set<string>();
  let isComplete = false;
  let ours: ReadonlyMap<string, boolean> = new Map();
  let [pauseMs, isPausedUntil] = [FIRST_PAUSE_MS, Number.NEGATIVE_INFINITY];
  let countedFrom = Number.NEGATIVE_INFINITY;
  const counted = { rename: 0, change: 0 };
  const isFlooded = (event: 'rename' | 'change'): boolean => {
    const at = elapsedMs();
    if (at - countedFrom >= WITHIN_MS) {
      countedFrom = at;
      [counted.rename, counted.change] = [0, 0];
    }
    counted[event] += 1;
    return counted.change > MOST_CHANGES || counted.rename > MOST_EVENTS;
  };
  const pause = () => {
    isPausedUntil = elapsedMs() + pauseMs;
    watch.stop();
    const seconds = Math.round(pauseMs / 1000);
    const text = `too much happens to the terminals there: for ${seconds} s deaths are felt by the pulse alone`;
    log.warn('terminal-watch-paused', { folder, text });
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  };
  const watch = createFolderWatch({
    folder,
    log,
    why: 'death',
    isNews(name, event) {
      if (isFlooded(event)) pause();
      // Once is enough: whoever gets that number next is somebody else until a round has seen it.
      return own.has(name) && !existsSync(join(folder, name)) && own.delete(name);
    },
  });
  // Never deaf: what it does not hear, the pulse feels.
  return {
    start: watch.start,
    stop: watch.stop,
    hearsAll: () => isComplete && !watch.isDeaf(),
    follow(round) {
      if (elapsedMs() < isPausedUntil) return;
      const named = terminalsOf(round);
      ours = new Map(
        [...named].map(([key, { pid, tty }]) => [key, ours.get(key) || isHere(procRoot, pid, tty)]),
      );
      own = new Set([...named].flatMap(([key, { tty }]) => (ours.get(key) ? [basename(tty)] : [])));
      isComplete = own.size === livingPanes(round);
      return watch.follow(round);
    },
  };
}

/**
 * Whether a terminal that a process is in is ours of that name. A server in a container names terminals of its own by the numbers
 * that others have here. Only the kernel is asked: a file system of another's may give no answer, and would hold the daemon.
 */
function isHere(procRoot: string, pid: number, tty: string): boolean {
  const number = /^\/dev\/pts\/(\d+)$/.exec(tty)?.[1];
  if (number === undefined || terminalOf(procRoot, pid) !== Number(number)) return false;
  const [theirs = [], ours = []] = [pid, 'self'].map((of) => mountsAt(`${procRoot}/${of}/mountinfo`));
  return !leadsElsewhere({ theirs, ours }, tty);
}

/** The number of the pseudoterminal that a process is in; null where it is in none. */
function terminalOf(procRoot: string, pid: number): number | null {
  const device = Number(statFields(`${procRoot}/${pid}/stat`)?.[4]);
  // As the kernel writes it: twelve bits of the major number between eight and twelve of the minor one.
  const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >>> 12) & 0xfff00)];
  return major === TERMINAL_MAJOR ? minor : null;
}

function mountsAt(path: string) {
  return mountsIn(textAt(path, 'latin1') ?? '');
}

/** A pane may be in several sessions. */
function livingPanes({ roll }: Round): number {
  const panes = roll.sessions.flatMap((entry) => entry.panes.filter(({ isDead }) => !isDead));
  return new Set(panes.map(({ pid }) => pid)).size;
}

/** The terminals of all living panes, with the process that each was seen with. */
function terminalsOf({ roll }: Round) {
  const named = new Map<string, { readonly pid: number; readonly tty: string }>();
  for (const { evidence, panes } of roll.sessions) {
    for (const piece of evidence) {
      if (piece.kind !== 'pane' || !piece.tty) continue;
      const { tty, paneId } = piece;
      const pane = panes.find((one) => one.paneId === paneId);
      if (pane !== undefined && !pane.isDead) named.set(`${pane.pid} ${tty}`, { pid: pane.pid, tty });
    }
  }
  return named;
}
