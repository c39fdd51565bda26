import type { ReapMode } from '../../../../src/core/reaper/standing.ts';
import type { Seat } from '../../ports/seat.ts';
import { kind, MINUTE, SECOND, time } from '../kind.ts';
import type { Spot } from '../spot.ts';

/** Its daemon begins. */
const up = kind(
  () => ({ install: 'home' }),
  ({ install }, { rollcalls, machine }) => {
    if (machine.isDown) return false;
    rollcalls.up({ install });
  },
);

const mode = kind(
  (rng) => ({ mode: rng.pick(['enforce', 'shadow', 'off'] as const) as string, install: 'home' }),
  ({ mode: word, install }, { rollcalls }) => rollcalls.reapMode(word as ReapMode, { install }),
);

/** The daemon, or whoever is at work on something, is killed so many steps later; somebody starts it again. */
const killed = kind(
  (rng) => ({
    steps: rng.chance(0.5) ? rng.int(1, 60) : rng.int(1, 1500),
    backMs: time(rng, SECOND, 20 * MINUTE),
  }),
  ({ steps, backMs }, spot) => {
    const seat = at(spot);
    if (seat === undefined) return false;
    seat.killAt = seat.steps + Math.max(1, steps);
    seat.onEnd(() => isDaemon(seat) && spot.after(backMs, () => spot.rollcalls.up()));
  },
);

/** It is stopped (a debugger, a full terminal) and goes on. */
const stopped = kind(
  (rng) => ({ forMs: time(rng, 200, 30 * MINUTE) }),
  ({ forMs }, spot) => {
    const seat = at(spot);
    if (seat === undefined) return false;
    seat.setStopped(true);
    spot.after(forMs, () => seat.setStopped(false));
  },
);

/** The daemon is ended as it should be, and begun again. */
const restarted = kind(
  (rng) => ({ backMs: time(rng, SECOND, 5 * MINUTE) }),
  ({ backMs }, spot) => {
    const seat = daemonOf(spot);
    if (seat === undefined) return false;
    spot.machine.processes.signal(seat.process, 'SIGTERM', 'person');
    spot.after(backMs, () => spot.rollcalls.up());
  },
);

/** Another install, with a state folder of its own, begins on the same machine, and has some sessions in its care. */
const second = kind(
  (rng) => ({ adopts: rng.int(0, 4), forMs: time(rng, 5 * MINUTE, 12 * 60 * MINUTE) }),
  ({ adopts, forMs }, spot) => {
    const { rollcalls, machine } = spot;
    const daemon = machine.isDown ? null : rollcalls.up({ install: 'second' });
    if (daemon === null) return false;
    rollcalls.reapMode('enforce', { install: 'second' });
    for (const { key } of machine.sessions().slice(0, adopts))
      rollcalls.run('adopt', { session: key }, { install: 'second' });
    spot.after(forMs, () => daemon.seat.kill());
  },
);

function at(spot: Spot): Seat | undefined {
  return spot.seat?.isAlive ? spot.seat : daemonOf(spot);
}

function daemonOf({ rollcalls }: Spot): Seat | undefined {
  return [...rollcalls.seats.values()].find(
    (seat) => isDaemon(seat) && seat.isAlive && seat.install.name === 'home',
  );
}

function isDaemon({ name }: Seat): boolean {
  return name.startsWith('daemon-');
}

export const ROLLCALLS = {
  up,
  mode,
  killed,
  'rollcall-stopped': stopped,
  restarted,
  'second-install': second,
} as const;
