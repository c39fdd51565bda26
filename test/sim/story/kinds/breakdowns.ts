import type { FaultKind, PortName } from '../../machine/faults.ts';
import type { DiskMood } from '../../machine/install.ts';
import type { Mood } from '../../machine/tmux-server.ts';
import { kind, MINUTE, SECOND, time } from '../kind.ts';
import type { Spot } from '../spot.ts';
import { begun, DEFAULT_SOCKET } from './sessions.ts';

function serverOf({ machine, session }: Spot) {
  return session?.server ?? machine.servers.get(DEFAULT_SOCKET) ?? [...machine.servers.values()][0];
}

/** The tmux server answers nobody for a while. */
const tmuxHangs = kind(
  (rng) => ({ mood: rng.pick(['hung', 'stopped'] as const) as string, forMs: time(rng, 200, 5 * MINUTE) }),
  ({ mood, forMs }, spot) => {
    const server = serverOf(spot);
    if (server === undefined || server.mood !== 'well') return false;
    server.setMood(mood as Mood, 'story');
    spot.after(forMs, () => server.setMood('well', 'story'));
  },
);

/** It dies; later one is there again, with other sessions under the old ids, or the old ones resumed. */
const tmuxCrashes = kind(
  (rng) => ({ backMs: time(rng, SECOND, 20 * MINUTE), sessions: rng.int(0, 6), resumes: rng.chance(0.5) }),
  ({ backMs, sessions, resumes, at }, spot) => {
    const { machine } = spot;
    const server = serverOf(spot);
    if (server === undefined) return false;
    const { socketPath } = server;
    const before = [...server.sessions.values()].map(({ label, name, windows }) => {
      const agent = windows
        .flatMap(({ panes }) => panes)
        .map((pane) => machine.agentIn(pane))
        .find((one) => one !== undefined);
      return {
        label,
        name,
        cwd: windows[0]?.panes[0]?.startPath ?? machine.home,
        kind: agent?.kind ?? 'full',
        conversation: agent?.truth.conversation ?? null,
      } as const;
    });
    server.crash('story');
    spot.after(backMs, () => {
      if (machine.isDown) return;
      const next = machine.startServer(socketPath);
      if (next.mood !== 'well' || next.sessions.size > 0) return;
      for (let index = 0; index < Math.max(1, sessions); index += 1) {
        const old = before[index];
        if (resumes && old !== undefined) {
          const { conversation, ...wish } = old;
          begun(machine, next, { ...wish, layout: 'alone', ...(conversation !== null && { conversation }) });
        } else
          begun(machine, next, {
            label: machine.nextLabel(),
            name: old?.name ?? `new-${at}-${index}`,
            cwd: machine.home,
            kind: 'full',
            layout: 'alone',
          });
      }
    });
  },
);

/** Whoever asks for it finds no socket, or is refused. */
const socketGone = kind(
  (rng) => ({ forMs: time(rng, SECOND, 10 * MINUTE) }),
  ({ forMs }, spot) => {
    const server = serverOf(spot);
    if (server === undefined) return false;
    for (const port of ['tmux.sense', 'tmux.capture', 'tmux.act'] as const)
      spot.machine.faults.add({
        port,
        how: 'fail',
        fromMs: spot.machine.clock.ms,
        forMs,
        server: server.socketPath,
      });
  },
);

const PORTS: readonly [PortName, ...PortName[]] = [
  'tmux.sense',
  'tmux.sense',
  'tmux.capture',
  'tmux.act',
  'processes',
  'shells',
  'git',
  'agents',
  'hooks',
  'pressure',
  'ledger',
  'archive',
  'conversations',
  'starts',
  'layouts',
  'recollections',
  'budget',
  'locks',
];

/** Something that rollcall asks fails, hangs, is late, or cannot be understood. */
const fault = kind(
  (rng) => ({
    port: rng.pick(PORTS) as string,
    how: rng.pick(['fail', 'hang', 'late', 'garbled'] as const) as string,
    forMs: time(rng, 200, 6 * MINUTE),
    lateMs: time(rng, 100, 8 * SECOND),
    isOnlyIts: rng.chance(0.3),
  }),
  ({ port, how, forMs, lateMs, isOnlyIts }, { machine, seat }) => {
    const only = isOnlyIts && seat !== undefined ? { seat: seat.name } : {};
    machine.faults.add({
      port: port as PortName,
      how: how as FaultKind,
      fromMs: machine.clock.ms,
      forMs,
      lateMs,
      ...only,
    });
  },
);

/** The disk below the state folder is full, or fails. */
const disk = kind(
  (rng) => ({ mood: rng.pick(['full', 'failing'] as const) as string, forMs: time(rng, 200, 10 * MINUTE) }),
  ({ mood, forMs }, spot) => {
    const home = spot.machine.installs.get('home');
    if (home === undefined || home.disk !== 'well') return false;
    home.setDisk(mood as DiskMood, 'story');
    spot.after(forMs, () => home.setDisk('well', 'story'));
  },
);

/** Everything ends at once; after a while the machine is there again, and its user starts some of it anew. */
const powerLoss = kind(
  (rng) => ({ backMs: time(rng, 20 * SECOND, 10 * MINUTE), restores: rng.chance(0.5) }),
  ({ backMs, restores }, spot) => {
    const { machine, rollcalls } = spot;
    machine.powerLoss();
    spot.after(backMs, () => {
      rollcalls.up();
      if (restores) spot.after(20 * SECOND, () => rollcalls.run('restore', { yes: true }));
    });
  },
);

export const BREAKDOWNS = {
  'tmux-hangs': tmuxHangs,
  'tmux-crashes': tmuxCrashes,
  'socket-gone': socketGone,
  fault,
  disk,
  'power-loss': powerLoss,
} as const;
