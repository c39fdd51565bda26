import type { Round } from '../../core/supervision/round.ts';
import type { WakeSource } from '../../ports/daemon.ts';
import { textAt } from '../files/look.ts';
import { isRunning } from '../programs/end-group.ts';

/** A death is felt within this time; asking costs about a microsecond for each process. */
const BEAT_MS = 500;

/** Watches all processes on the last roll. Wakes once for each death, and for each program that a server started since. */
export function createPulse({
  everyMs = BEAT_MS,
  isAlive = isRunning,
  newborns = createNewborns(),
}: {
  readonly everyMs?: number;
  readonly isAlive?: (pid: number) => boolean;
  readonly newborns?: ReturnType<typeof createNewborns>;
} = {}): WakeSource {
  let watched: readonly number[] = [];
  const gone = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  return {
    start(wake) {
      timer = setInterval(() => {
        let hasDied = false;
        for (const pid of watched) {
          if (gone.has(pid) || isAlive(pid)) continue;
          gone.add(pid);
          hasDied = true;
        }
        if (hasDied) wake('death');
        if (newborns.feel()) wake('birth');
      }, everyMs);
      timer.unref();
    },
    follow(round) {
      const pids = pidsIn(round);
      for (const pid of gone) if (!pids.has(pid)) gone.delete(pid);
      watched = [...pids];
      newborns.follow(
        round.roll.servers.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
        pids,
      );
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
  for (const { panes, agent } of roll.sessions) {
    for (const pane of panes) if (!pane.isDead) add(pane.pid);
    add(agent?.pid);
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
    follow(listed: readonly number[], onRoll: ReadonlySet<number>): void {
      servers = listed;
      known = onRoll;
    },
  };
}
