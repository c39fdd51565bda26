import type { Round } from '../../../src/core/supervision/round.ts';
import type { WakeSource } from '../../../src/ports/daemon.ts';
import type { SimProcess } from '../machine/process.ts';
import type { Seat } from '../ports/seat.ts';

/** What calls for a round before its time: the watched folders, and the pulse of what is on the roll. */
export function wakeSources(seat: Seat): WakeSource[] {
  return [folderWatch(seat), pulse(seat)];
}

function folderWatch(seat: Seat): WakeSource {
  let stop = () => {};
  return {
    start(wake) {
      stop = seat.install.onRing((why) => seat.hear(() => wake(why)));
      seat.onEnd(() => stop());
    },
    follow() {},
    stop: () => stop(),
  };
}

/** The pulse looks so often: a death is felt with the next beat, a birth with the second. */
const BEAT_MS = 500;

/** Feels deaths and births as src/adapters/daemon/pulse.ts does, without beating where nothing happens. */
function pulse(seat: Seat): WakeSource {
  const { machine } = seat;
  const stops: (() => void)[] = [];
  const bornMs = machine.clock.ms;
  let watched = new Set<number>();
  let servers = new Set<number>();
  const untilBeat = () => BEAT_MS - ((machine.clock.ms - bornMs) % BEAT_MS);
  const isNew = ({ pid, ending }: SimProcess) => ending === null && !watched.has(pid);
  const stop = () => {
    for (const one of stops.splice(0)) one();
  };
  return {
    start(wake) {
      seat.onEnd(stop);
      stops.push(
        machine.processes.onEnd(({ pid }) => {
          if (watched.has(pid)) seat.after(untilBeat(), () => wake('death'));
        }),
        machine.processes.onBirth((process) => {
          if (!servers.has(process.ppid)) return;
          seat.after(untilBeat() + BEAT_MS, () => {
            if (isNew(process)) wake('birth');
          });
        }),
      );
    },
    follow({ roll }: Round) {
      servers = new Set(roll.servers.flatMap(({ pid }) => pid ?? []));
      const pids = roll.sessions.flatMap(({ panes, agent }) => [
        ...panes.filter(({ isDead }) => !isDead).map(({ pid }) => pid),
        ...(agent?.pid == null ? [] : [agent.pid]),
      ]);
      watched = new Set([...servers, ...pids]);
    },
    stop,
  };
}
