import { createHostSensor } from '../adapters/host/host-sensor.ts';
import { createPressureSensor } from '../adapters/host/pressure-sensor.ts';
import { createJsonFile } from '../adapters/state/json-file.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import type { Settings } from '../config/settings.ts';
import { isPressureMemory } from '../core/pressure/memory.ts';
import { createPressureLook, type PressureLook } from '../engine/pressure.ts';
import type { PressureStore } from '../ports/pressure.ts';
import { ownStateFolder } from './system/own-user.ts';
import { storeOf } from './system/store-of.ts';

/** A few hundred bytes for each cgroup, and room to spare. */
const MEMORY_BYTES = 1024 * 1024;

/** A look at the memory pressure with the real sensors. */
export function composePressure(env: NodeJS.ProcessEnv, settings: Settings): PressureLook {
  const now = Date.now;
  return createPressureLook({
    sensor: createPressureSensor({ now }),
    store: storeIn(ownStateFolder(env)),
    host: createHostSensor({ now }),
    policy: settings.pressure,
  });
}

// A state folder that is refused is told of by the memory of the looks.
function storeIn(folder: StateFolder): PressureStore {
  if (folder.state === 'refused') return { load: () => ({ value: null }), save: () => null };
  const file = createJsonFile({
    ...{ folder: folder.path, name: 'pressure.json', maxBytes: MEMORY_BYTES },
    isValid: isPressureMemory,
  });
  return storeOf(file);
}
