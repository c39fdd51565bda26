import type { Reading } from '../../../src/core/pressure/reading.ts';
import type { GitSighting, ShellSighting } from '../../../src/core/sight/sighting.ts';
import type { PressureSensor } from '../../../src/ports/pressure.ts';
import type { GitSensor, HostSensor, ShellSensor } from '../../../src/ports/sensor.ts';
import { SimShell } from '../machine/shell.ts';
import type { Seat } from './seat.ts';

const GIT_MS = 24;
const GIT_TIMEOUT_MS = 10_000;
const SHELL_MS = 4;

/** Sees shells at their terminals. */
export function shellSensor(seat: Seat): ShellSensor {
  const { machine } = seat;
  return {
    glance({ pid, startTicks, program }) {
      seat.step();
      const process = machine.processes.find({ pid, startTicks });
      if (process?.tty == null) return null;
      const { program: played, tty, turns } = process;
      const isWaiting = played instanceof SimShell && played.standing !== 'busy';
      return {
        ...{ pid, startTicks, program, observedAt: machine.clock.at, readAt: tty.readAt, isWaiting },
        turns: `${startTicks} ${turns} 0`,
      };
    },
    sense: ({ pid, startTicks }) =>
      seat.ask<ShellSighting>({
        ...{ port: 'shells', ms: SHELL_MS, timeoutMs: GIT_TIMEOUT_MS },
        work() {
          const process = machine.processes.find({ pid, startTicks });
          if (process?.tty == null) return { state: 'failed', text: 'it is gone' };
          const { program, tty, pgid, cwd, env } = process;
          const standing = program instanceof SimShell ? program.standing : 'busy';
          const isInFront = tty.front === pgid;
          return {
            ...{ state: 'seen', pid, startTicks, observedAt: machine.clock.at, isInFront, isAsleep: true },
            waitsIn: standing === 'prompt' ? 'select' : standing === 'question' ? 'read' : 'else',
            ...{ settings: tty.settings, user: machine.user, host: machine.host.name, home: machine.home },
            ...{ cwd, branch: null, givenPrompt: env.PS1 ?? null },
          };
        },
        failed: () => ({ state: 'failed', text: 'its terminal gives no answer' }),
      }),
  };
}

/** Sees what git has in a folder. */
export function gitSensor(seat: Seat): GitSensor {
  const { machine } = seat;
  const failed = (cwd: string): GitSighting => ({
    ...{ cwd, observedAt: machine.clock.at, state: 'failed', text: 'git gave no answer' },
  });
  const one = (cwd: string): GitSighting => {
    const found = machine.git.at(cwd);
    const observedAt = machine.clock.at;
    if (found.state === 'fails') return failed(cwd);
    if (found.state === 'none') return { cwd, observedAt, state: 'none' };
    return { ...found, cwd, observedAt, root: cwd, isLinkedWorktree: false };
  };
  return {
    async sense(cwds) {
      if (cwds.length === 0) return [];
      return seat.ask<GitSighting[]>({
        ...{ port: 'git', ms: GIT_MS, timeoutMs: GIT_TIMEOUT_MS },
        work: () => cwds.map(one),
        failed: () => cwds.map(failed),
      });
    },
  };
}

/** Knows the machine and its clocks. */
export function hostSensor(seat: Seat): HostSensor {
  const { machine } = seat;
  return {
    identity: () => machine.host.identity(),
    now: () => machine.clock.moment(),
    memory: () => machine.host.memory(),
  };
}

/** Reads the memory pressure of the machine; it has no cgroups. */
export function pressureSensor(seat: Seat): PressureSensor {
  const { machine } = seat;
  return {
    sense() {
      seat.step();
      const { availableBytes, totalBytes, stallSome, stallFull } = machine.host;
      const base = { scope: 'host', holders: [], observedAt: machine.clock.at };
      if (seat.fault('pressure') !== null) {
        const failed = { state: 'failed', text: 'it cannot be read', source: '/proc' } as const;
        return (['stall-full', 'stall-some', 'available'] as const).map(
          (signal): Reading => ({ ...base, ...failed, signal }),
        );
      }
      const stall = { ...base, state: 'read', source: '/proc/pressure/memory' } as const;
      return [
        { ...stall, signal: 'stall-some', value: stallSome, averages: averages(stallSome) },
        { ...stall, signal: 'stall-full', value: stallFull, averages: averages(stallFull) },
        {
          ...base,
          state: 'read',
          source: '/proc/meminfo',
          signal: 'available',
          value: availableBytes,
          totalBytes,
        },
      ];
    },
  };
}

function averages(value: number) {
  return [10_000, 60_000, 300_000].map((overMs) => ({ overMs, value }));
}
