import type { ProcessSensor } from '../../ports/sensor.ts';
import { createLinuxProcessSensor } from './linux-process-sensor.ts';
import { createMacosProcessSensor } from './macos-process-sensor.ts';

/** Picks the process sensor of this platform: /proc, or ps where there is none. */
export function createProcessSensor(
  options: {
    readonly platform?: NodeJS.Platform;
    readonly procRoot?: string;
    readonly now?: () => number;
  } = {},
): ProcessSensor {
  const { platform = process.platform, ...rest } = options;
  return platform === 'darwin' ? createMacosProcessSensor(rest) : createLinuxProcessSensor(rest);
}
