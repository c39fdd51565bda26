import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Roll } from '../../core/sight/roll.ts';
import type { Stirring } from '../../ports/daemon.ts';
import { namesIn, textAt } from '../files/look.ts';
import { bytesAt, processesIn, turnsOf } from './counters.ts';

/**
 * Feels by counters of the kernel whether anything moved. Whatever tmux knows changes only while its server runs, and the
 * kernel counts how often that got a turn; terminals that came or went show in their folder, and a server whose terminals are
 * elsewhere by its name. Of each process of a pane the kernel counts CPU time and faults, which costs some ten microseconds for each.
 */
export function createStirring({
  procRoot = '/proc',
  terminals = '/dev/pts',
}: {
  readonly procRoot?: string;
  readonly terminals?: string;
} = {}): Stirring {
  let roll: Roll | null = null;
  let servers: string | null = null;
  let processes: string | null = null;
  let strangers: ReadonlySet<string> = new Set();
  let hasMissed = false;
  const isServerAmong = (pids: readonly string[]): boolean =>
    pids.some((pid) => !strangers.has(pid) && isServer(procRoot, pid));
  const serversNow = (): string | null => {
    // The number of one elsewhere may be that of a server here.
    const turns = roll?.servers.map(({ pid, startTicks }) =>
      pid === undefined || startTicks === 0 ? null : turnsOf(pid, procRoot),
    );
    // Without a server there is nothing that counts, and a round costs next to nothing.
    if (turns === undefined || turns.length === 0 || turns.includes(null)) return null;
    return [...turns, ...terminalMarks(terminals)].join(' ');
  };
  const processesNow = () => processMark(roll?.sessions.flatMap(processesIn) ?? [], procRoot);
  return {
    mark(seen) {
      roll = seen;
      processes = null;
      servers = serversNow();
      const now = namesIn(procRoot);
      const seenPids = new Set(seen.servers.map(({ pid }) => String(pid)));
      // It came while the look was under way, and nothing else tells of it: its terminals are there already.
      hasMissed = isServerAmong(now.filter((pid) => !seenPids.has(pid)));
      strangers = new Set(now);
    },
    // A round that may be followed late is the only one that pays for its processes.
    follow() {
      processes = servers === null ? null : processesNow();
    },
    hasMoved() {
      if (servers === null || processes === null || hasMissed) return true;
      return serversNow() !== servers || isServerAmong(namesIn(procRoot)) || processesNow() !== processes;
    },
  };
}

function isServer(procRoot: string, pid: string): boolean {
  return textAt(join(procRoot, pid, 'comm'), 'latin1') === 'tmux: server\n';
}

// A number is used again as soon as it is free: only the time tells one terminal from the next.
function terminalMarks(folder: string): string[] {
  return namesIn(folder).map((name) => {
    const entry = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return `${name} ${entry?.ino} ${entry?.ctimeMs}`;
  });
}

// Null also where one of them has ended since, or cannot be read.
function processMark(pids: readonly number[], procRoot: string): string | null {
  const mark = createHash('sha1');
  for (const pid of new Set(pids)) {
    const line = bytesAt(`${procRoot}/${pid}/stat`);
    if (line === null || line.length === 0) return null;
    mark.update(line);
  }
  return mark.digest('base64');
}
