import { isSilent } from '../../core/supervision/rhythm.ts';
import type { Round } from '../../core/supervision/round.ts';
import type { WakeSource } from '../../ports/daemon.ts';
import { textAt } from '../files/look.ts';
import { isRunning } from '../programs/end-group.ts';
import { processesIn, turnsOf } from './counters.ts';
import { ownCpuMs } from './cpu-time.ts';

/** A death is felt within this time where its server notices it, as long as that is cheap. */
const BEAT_MS = 500;
/** Of what a server sleeps through (an agent under a program that waits), death is felt within this time. */
const LONGEST_MS = 5000;
/** Share of one core that asking may take: about a microsecond for each process. Where it costs more, it comes less often. */
const SHARE = 0.002;

/**
 * Watches all processes on the last roll. Wakes once for each death, and for each program that a server started since. A server
 * gets a turn whenever a program in one of its panes ends, starts or writes: as long as it sleeps, all but it are left alone.
 */
export function createPulse({
  everyMs = BEAT_MS,
  longestMs = LONGEST_MS,
  isAlive = isRunning,
  turns = turnsOf,
  newborns = createNewborns(),
  elapsedMs = () => performance.now(),
  cpuMs = ownCpuMs,
}: {
  readonly everyMs?: number;
  readonly longestMs?: number;
  readonly isAlive?: (pid: number) => boolean;
  /** How often a server got a turn; null where nothing tells. */
  readonly turns?: (pid: number) => string | null;
  readonly newborns?: ReturnType<typeof createNewborns>;
  readonly elapsedMs?: () => number;
  /** What asking costs: on a machine that is busy with others, much more time goes by. */
  readonly cpuMs?: () => number;
} = {}): WakeSource {
  let watched: readonly number[] = [];
  let servers: readonly number[] = [];
  let known = '';
  let hasMoved = true;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let feltAt = Number.NEGATIVE_INFINITY;
  const gone = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  const isAwake = (): boolean => {
    const told = servers.map(turns);
    const now = told.join('; ');
    const isSame = now === known && !told.includes(null);
    known = now;
    return !isSame;
  };

  const feel = (wake: Parameters<WakeSource['start']>[0], mayBeBorn: boolean) => {
    let hasDied = false;
    for (const pid of watched) {
      if (gone.has(pid) || isAlive(pid)) continue;
      gone.add(pid);
      hasDied = true;
    }
    if (hasDied) wake('death');
    if (mayBeBorn && newborns.feel()) wake('birth');
  };

  return {
    start(wake) {
      timer = setInterval(() => {
        hasMoved = isAwake() || hasMoved;
        const began = elapsedMs();
        // A server that starts a program is awake.
        const mayBeBorn = hasMoved || newborns.isUnsure();
        if (began < restsUntil || (!mayBeBorn && began - feltAt < longestMs)) return;
        hasMoved = false;
        feltAt = began;
        const beganCpuMs = cpuMs();
        feel(wake, mayBeBorn);
        restsUntil = began + Math.min(longestMs, (cpuMs() - beganCpuMs) / SHARE);
      }, everyMs);
      timer.unref();
    },
    follow(round) {
      const pids = pidsIn(round);
      for (const pid of gone) if (!pids.has(pid)) gone.delete(pid);
      watched = [...pids];
      servers = round.roll.servers.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
      newborns.follow(servers, pids);
    },
    stop() {
      clearInterval(timer);
    },
  };
}

function pidsIn({ roll }: Round): Set<number> {
  const pids = new Set<number>();
  const add = (pid: number | null | undefined) => {
    // 0 and below would ask about process groups.
    if (pid && pid > 0) pids.add(pid);
  };
  for (const { pid } of roll.servers) add(pid);
  for (const entry of roll.sessions) {
    for (const pane of entry.panes) if (!pane.isDead) add(pane.pid);
    add(entry.agent?.pid);
    // No round comes soon to see that they have returned.
    if (isSilent(entry)) for (const pid of processesIn(entry)) add(pid);
  }
  return pids;
}

/** The children of a process, as the kernel lists them; none where it does not. */
export function childrenOf(pid: number): number[] {
  const listed = textAt(`/proc/${pid}/task/${pid}/children`, 'latin1') ?? '';
  return listed.split(' ').flatMap((child) => Number(child) || []);
}

/** New panes, without asking tmux. A server's status-line jobs come and go: only a child seen at two beats counts, once. */
export function createNewborns(children: (pid: number) => readonly number[] = childrenOf) {
  let servers: readonly number[] = [];
  let known: ReadonlySet<number> = new Set();
  let before = new Set<number>();
  const told = new Set<number>();
  return {
    /** Whether one lives that is not on the roll and was not told of before. */
    feel(): boolean {
      const strangers = servers.flatMap(children).filter((pid) => pid > 0 && !known.has(pid));
      const stayed = strangers.filter((pid) => before.has(pid) && !told.has(pid));
      for (const pid of stayed) told.add(pid);
      before = new Set(strangers);
      for (const pid of told) if (!before.has(pid)) told.delete(pid);
      return stayed.length > 0;
    },
    /** Whether one was seen for the first time at the last beat. */
    isUnsure: (): boolean => [...before].some((pid) => !told.has(pid)),
    follow(listed: readonly number[], onRoll: ReadonlySet<number>): void {
      servers = listed;
      known = onRoll;
    },
  };
}
