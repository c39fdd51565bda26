import { MEMORY_LEVELS } from '../../machine/host.ts';
import type { Signal, SimProcess } from '../../machine/process.ts';
import { kind, MINUTE, SECOND, time } from '../kind.ts';
import type { Spot } from '../spot.ts';

/** What git has in the folder of a session. */
const git = kind(
  (rng) => ({
    what: rng.pick(['dirty', 'dirty', 'unpushed', 'stash', 'fails', 'none'] as const) as string,
    forMs: time(rng, 10 * SECOND, 4 * 60 * MINUTE),
  }),
  ({ what, forMs }, spot) => {
    const { machine, pane } = spot;
    if (pane === undefined) return false;
    const { cwd } = pane.process;
    if (what === 'fails' || what === 'none') machine.git.set(cwd, { state: what }, 'agent');
    else
      machine.git.change(
        cwd,
        what === 'dirty'
          ? { dirtyFiles: 3 }
          : what === 'stash'
            ? { stashes: 1 }
            : { unpushedCommits: 2, isMerged: false },
        'agent',
      );
    const clean = { dirtyFiles: 0, unpushedCommits: 0, stashes: 0, isMerged: true };
    spot.after(forMs, () => machine.git.change(cwd, clean, 'agent'));
  },
);

/** Memory gets short, all at once or in waves, and comes back. */
const memory = kind(
  (rng) => ({
    level: rng.pick(['warning', 'critical', 'critical'] as const) as string,
    forMs: time(rng, 2 * MINUTE, 90 * MINUTE),
    waves: rng.chance(0.4) ? rng.int(2, 6) : 1,
  }),
  ({ level, forMs, waves }, spot) => {
    const { host, clock } = spot.machine;
    for (let at = 0; at < waves; at += 1) {
      const ms = (forMs / waves) * at;
      clock.after(ms, () => host.setMemory(MEMORY_LEVELS[level as 'critical']));
      clock.after(ms + (forMs / waves) * 0.6, () => host.setMemory(MEMORY_LEVELS.normal));
    }
  },
);

const clockStep = kind(
  (rng) => ({ byMs: (rng.chance(0.5) ? 1 : -1) * time(rng, SECOND, 30 * 60 * MINUTE) }),
  ({ byMs }, { machine }) => machine.stepClock(byMs),
);

const clockDrift = kind(
  (rng) => ({ ppm: rng.int(-500, 500) }),
  ({ ppm }, { machine }) => machine.clock.drift(ppm),
);

/** The lid is closed. */
const suspend = kind(
  (rng) => ({ forMs: time(rng, SECOND, 9 * 60 * MINUTE) }),
  ({ forMs }, { machine }) => machine.suspend(forMs),
);

/** Its agent ends, and its number belongs to somebody else a moment later. */
const recycled = kind(
  (rng) => ({ afterMs: rng.int(20, 400), who: rng.pick(['stranger', 'neighbour'] as const) as string }),
  ({ afterMs, who }, spot) => {
    const { machine, agent } = spot;
    if (agent === undefined) return false;
    const { pid } = agent.process;
    machine.processes.end(agent.process, { status: 0 }, 'agent');
    spot.after(Math.max(20, afterMs), () => another(spot, pid, who));
  },
);

/** Whenever its agent ends next, its number is taken at once. */
const recycles = kind(
  (rng) => ({ afterMs: rng.int(20, 2000), who: rng.pick(['stranger', 'neighbour'] as const) as string }),
  ({ afterMs, who }, spot) => {
    const { machine, agent } = spot;
    if (agent === undefined) return false;
    const { process } = agent;
    const stop = machine.processes.onEnd((ended) => {
      if (ended !== process) return;
      stop();
      spot.after(Math.max(20, afterMs), () => another(spot, process.pid, who));
    });
  },
);

/** Somebody who has nothing to do with it gets this number. */
function another({ machine }: Spot, pid: number, who: string): SimProcess | null {
  if (machine.processes.at(pid) !== undefined || machine.isDown) return null;
  machine.processes.nextPidIs(pid);
  const [server] = machine.servers.values();
  if (who === 'neighbour' && server?.mood === 'well') {
    const session = server.newSession(
      {
        name: `neighbour-${machine.clock.ms}`,
        argv: ['/usr/bin/agent-full', '--prompt', 'work'],
        cwd: '/srv',
      },
      'person',
    );
    return session.current.active.process;
  }
  return machine.processes.spawn(
    { argv: ['/usr/bin/postgres'], cwd: '/srv', ppid: 1, session: 'own' },
    'person',
  );
}

/** Its agent, or its shell, is stopped and goes on later. */
const stopped = kind(
  (rng) => ({ forMs: time(rng, SECOND, 60 * MINUTE) }),
  ({ forMs }, spot) => {
    const { machine, pane, agent } = spot;
    const process = agent?.process ?? pane?.process;
    if (process === undefined || process.ending !== null) return false;
    const send = (signal: Signal) =>
      machine.processes.isAlive(process) && machine.processes.signal(process, signal, 'person');
    send('SIGSTOP');
    spot.after(forMs, () => send('SIGCONT'));
  },
);

/** A program in its first pane that prints, or is silent, and ends. */
const program = kind(
  (rng) => ({
    argv: rng.pick(['prints', '/usr/bin/tail', '/usr/bin/ssh'] as const) as string,
    forMs: time(rng, 10 * SECOND, 60 * MINUTE),
  }),
  ({ argv, forMs }, spot) => {
    const { machine, shell } = spot;
    if (shell?.standing !== 'prompt') return false;
    const run = shell.run([argv], 'person');
    spot.after(forMs, () => machine.processes.end(run, { status: 0 }, 'agent'));
  },
);

export const SURROUNDINGS = {
  git,
  memory,
  'clock-step': clockStep,
  'clock-drift': clockDrift,
  suspend,
  'pid-recycled': recycled,
  'pid-recycles': recycles,
  stopped,
  program,
} as const;
