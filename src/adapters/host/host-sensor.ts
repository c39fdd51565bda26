import { hostname as systemHostname } from 'node:os';
import type { HostIdentity } from '../../core/sight/identity.ts';
import type { HostSensor } from '../../ports/sensor.ts';
import { createLinuxClock, createMacosClock, monotonicNow } from './host-clock.ts';
import { readHostIdentity } from './host-identity.ts';
import { readLinuxMemory } from './linux-memory.ts';
import { readMacosMemory } from './macos-memory.ts';
import { type RunCommand, runCommand } from './read-text.ts';

/** Knows the machine: who it is, its clocks, its memory. Everything it reads can be given, for tests and containers. */
export function createHostSensor(
  options: {
    readonly platform?: NodeJS.Platform;
    readonly procRoot?: string;
    readonly sysRoot?: string;
    readonly machineIdPaths?: readonly string[];
    readonly now?: () => number;
    /** CLOCK_MONOTONIC, ms; on macOS the clock that Node reads, which runs during sleep. */
    readonly awakeNow?: () => number;
    readonly hostname?: () => string;
    readonly run?: RunCommand;
  } = {},
): HostSensor {
  const { platform = process.platform, procRoot = '/proc', sysRoot = '/sys' } = options;
  const { now = Date.now, awakeNow = monotonicNow, run = runCommand } = options;
  const { machineIdPaths = ['/etc/machine-id', '/var/lib/dbus/machine-id'] } = options;
  const { hostname = systemHostname } = options;
  const isMacos = platform === 'darwin';
  let identity: HostIdentity | undefined;
  return {
    identity() {
      identity ??= readHostIdentity({ procRoot, platform, machineIdPaths, hostname, run });
      return identity;
    },
    now: isMacos
      ? createMacosClock({ run, now, continuousNow: awakeNow })
      : createLinuxClock({ procRoot, now, awakeNow }),
    memory: () => (isMacos ? readMacosMemory(run) : readLinuxMemory(procRoot, sysRoot)),
  };
}
