import { createHostSensor } from '../adapters/host/host-sensor.ts';
import { createPressureSensor } from '../adapters/host/pressure-sensor.ts';
import type { Settings } from '../config/settings.ts';
import { isPressureMemory } from '../core/pressure/memory.ts';
import { createPressureLook, type PressureLook } from '../engine/pressure.ts';
import { ownStateFolder } from './system/own-user.ts';
import { storeIn } from './system/store-of.ts';

/** A few hundred bytes for each cgroup, and room to spare. */
const MEMORY_BYTES = 1024 * 1024;

/** A look at the memory pressure with the real sensors. */
export function composePressure(env: NodeJS.ProcessEnv, settings: Settings): PressureLook {
  const now = Date.now;
  const file = { name: 'pressure.json', maxBytes: MEMORY_BYTES, isValid: isPressureMemory };
  return createPressureLook({
    sensor: createPressureSensor({ now }),
    // A state folder that is refused is told of by the memory of the looks.
    store: storeIn(ownStateFolder(env), file) ?? { load: () => ({ value: null }), save: () => null },
    host: createHostSensor({ now }),
    policy: settings.pressure,
  });
}
