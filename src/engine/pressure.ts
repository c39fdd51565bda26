import { judgePressure, type Pressure } from '../core/pressure/judge-pressure.ts';
import type { PressurePolicy } from '../core/pressure/policy.ts';
import type { Problem, Roll } from '../core/sight/roll.ts';
import type { MemoryHolder, PressureSensor, PressureStore } from '../ports/pressure.ts';
import type { HostSensor } from '../ports/sensor.ts';

/** What a look at the pressure is made of. */
export interface PressureParts {
  readonly sensor: PressureSensor;
  readonly store: PressureStore;
  readonly host: Pick<HostSensor, 'identity' | 'now'>;
  readonly policy: PressurePolicy;
}

/** One look at the memory pressure, with these processes' cgroups. */
export type PressureLook = (holders: readonly MemoryHolder[]) => {
  readonly pressure: Pressure;
  readonly problems: readonly Problem[];
};

/** Makes looks that remember: each builds on the one before it, also on one by an earlier process. */
export function createPressureLook({ sensor, store, host, policy }: PressureParts): PressureLook {
  return (holders) => {
    const loaded = store.load();
    const readings = sensor.sense(holders);
    const { bootId } = host.identity();
    const { pressure, memory } = judgePressure(readings, loaded.value, policy, { now: host.now(), bootId });
    const saveProblem = store.save(memory);
    const problems = [loaded.problem, saveProblem].flatMap((text) => (text ? [problemOf(text)] : []));
    return { pressure, problems };
  };
}

function problemOf(text: string): Problem {
  const hint = 'pressure is judged without memory: only what carries its own duration raises the tier';
  return { code: 'memory-unavailable', text, hint };
}

/** The tmux servers of a roll, whose cgroups hold the sessions' memory. */
export function memoryHolders({ servers }: Pick<Roll, 'servers'>): MemoryHolder[] {
  return servers.flatMap(({ pid, startTicks, label }) =>
    pid === undefined
      ? []
      : [{ pid, name: `tmux server ${label} (pid ${pid})`, ...(startTicks && { startTicks }) }],
  );
}
