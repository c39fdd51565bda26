import { isSilent } from '../../core/supervision/rhythm.ts';
import type { Round } from '../../core/supervision/round.ts';
import type { WakeSource } from '../../ports/daemon.ts';
import { isRunning } from '../programs/end-group.ts';
import { processesIn, turnsOf } from './counters.ts';
import { ownCpuMs } from './cpu-time.ts';
import { createNewborns, type Newborns } from './newborns.ts';

/** A death is felt within this time where its server notices it, as long as that is cheap. */
const BEAT_MS = 500;
/** And so many times that where the end of each pane is heard: what is left are agents that end below their shell. */
const SLOWER = 2;
/** Of what a server sleeps through (an agent under a program that waits), death is felt within this time. */
const LONGEST_MS = 5000;
/** Share of one core that asking may take: about a microsecond for each process. Where it costs more, it comes less often. */
const SHARE = 0.002;

/**
 * Watches all processes on the last roll. Wakes once for each death, and for each program that a server started since. A server
 * gets a turn whenever a program in one of its panes ends, starts or writes: as long as it sleeps, all but it are left alone. While asking rests
 * not even servers are asked: that they moved shows in the next counter.
 */
export function createPulse({
  everyMs = BEAT_MS,
  longestMs = LONGEST_MS,
  isAlive = isRunning,
  isHeard = () => false,
  turns = turnsOf,
  newborns = createNewborns(),
  elapsedMs = () => performance.now(),
  cpuMs = ownCpuMs,
}: {
  readonly everyMs?: number;
  readonly longestMs?: number;
  readonly isAlive?: (pid: number) => boolean;
  /** Whether somebody hears the end of every pane. */
  readonly isHeard?: () => boolean;
  /** How often a server got a turn; null where nothing tells. */
  readonly turns?: (pid: number) => string | null;
  readonly newborns?: Newborns;
  readonly elapsedMs?: () => number;
  /** What asking costs: on a machine that is busy with others, much more time goes by. */
  readonly cpuMs?: () => number;
} = {}): WakeSource {
  let watched: readonly number[] = [];
  let servers: readonly number[] = [];
  let known: ReadonlyMap<number, string | null> = new Map();
  let restsUntil = Number.NEGATIVE_INFINITY;
  let feltAt = Number.NEGATIVE_INFINITY;
  const gone = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  /** Those that got a turn since they were last asked, or of which nothing tells. */
  const awakeServers = (): number[] => {
    const now = new Map(servers.map((pid) => [pid, turns(pid)]));
    const awake = servers.filter((pid) => now.get(pid) === null || now.get(pid) !== known.get(pid));
    known = now;
    return awake;
  };

  const feel = (wake: Parameters<WakeSource['start']>[0]) => {
    let hasDied = false;
    for (const pid of watched) {
      if (gone.has(pid) || isAlive(pid)) continue;
      gone.add(pid);
      hasDied = true;
    }
    if (hasDied) wake('death');
  };

  const beat = (wake: Parameters<WakeSource['start']>[0], began: number) => {
    const awake = awakeServers();
    // A server that starts a program is awake.
    const mayBeBorn = awake.length > 0 || newborns.isUnsure();
    if (!mayBeBorn && began - feltAt < longestMs) return;
    feltAt = began;
    feel(wake);
    if (mayBeBorn && newborns.feel(awake)) wake('birth');
  };

  const beatUnlessResting = (wake: Parameters<WakeSource['start']>[0]) => {
    const began = elapsedMs();
    if (began < restsUntil) return;
    const beganCpuMs = cpuMs();
    beat(wake, began);
    // However dear it is to ask whether servers sleep, nothing waits longer than for them.
    restsUntil = Math.min(feltAt + longestMs, began + (cpuMs() - beganCpuMs) / SHARE);
  };

  const goOn = (wake: Parameters<WakeSource['start']>[0]) => {
    timer = setTimeout(
      () => {
        goOn(wake);
        beatUnlessResting(wake);
      },
      isHeard() ? SLOWER * everyMs : everyMs,
    );
    timer.unref();
  };

  return {
    start: goOn,
    follow(round) {
      const pids = pidsIn(round);
      for (const pid of gone) if (!pids.has(pid)) gone.delete(pid);
      watched = [...pids];
      servers = round.roll.servers.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
      newborns.follow(servers, pids);
    },
    stop() {
      clearTimeout(timer);
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
