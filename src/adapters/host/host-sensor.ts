import { hostname as systemHostname } from 'node:os';
import type { HostIdentity } from '../../core/sight/identity.ts';
import type { Moment } from '../../core/text/moment.ts';
import { visible } from '../../core/text/visible.ts';
import type { HostSensor } from '../../ports/sensor.ts';
import { linkAt, textAt, uptimeAt } from '../files/look.ts';
import { readLinuxMemory } from './linux-memory.ts';
import { readMacosMemory } from './macos-memory.ts';
import { type ReadCommand, runCommand } from './read-text.ts';

/** What is read of a machine. */
export interface HostSources {
  readonly platform: NodeJS.Platform;
  readonly procRoot: string;
  readonly sysRoot: string;
  readonly machineIdPaths: readonly string[];
  readonly now: () => number;
  /** CLOCK_MONOTONIC, ms; on macOS the clock that Node reads, which runs during sleep. */
  readonly awakeNow: () => number;
  readonly hostname: () => string;
  readonly run: ReadCommand;
}

/** Knows the machine: who it is, its clocks, its memory. Everything it reads can be given, for tests and containers. */
export function createHostSensor(options: Partial<HostSources> = {}): HostSensor {
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

/** Reads who this machine is and which boot of it this is. */
export function readHostIdentity(sources: Omit<HostSources, 'sysRoot' | 'now' | 'awakeNow'>): HostIdentity {
  const name = visible(sources.hostname(), 255);
  const isMacos = sources.platform === 'darwin';
  const machineId = isMacos ? macosMachineId(sources.run) : linuxMachineId(sources.machineIdPaths);
  const bootId = isMacos ? macosBootId(sources.run) : linuxBootId(sources.procRoot);
  const pidNamespace = isMacos ? null : linuxPidNamespace(sources.procRoot);
  return {
    machineId: visible(machineId ?? derivedId(`machine ${name}`), 128),
    bootId: visible(bootId ?? derivedId(`boot of ${name}`), 128),
    name,
    ...(pidNamespace !== null && { pidNamespace }),
  };
}

// An image that was never booted holds an empty file or the word `uninitialized` (systemd 247).
function linuxMachineId(paths: readonly string[]): string | null {
  for (const path of paths) {
    const id = textAt(path)?.trim() ?? '';
    if (/^[0-9a-f]{32}$/i.test(id)) return id.toLowerCase();
  }
  return null;
}

// A masked boot id leaves the boot time: two boots of one machine differ in it, and it outlives a restart of rollcall.
function linuxBootId(procRoot: string): string | null {
  const id = textAt(`${procRoot}/sys/kernel/random/boot_id`)?.trim();
  if (id) return id;
  const btime = /^btime (\d+)$/m.exec(textAt(`${procRoot}/stat`) ?? '')?.[1];
  return btime === undefined ? null : derivedId(`btime ${btime}`);
}

// `pid:[4026531836]`: the number is the namespace's own for as long as anything runs in it.
function linuxPidNamespace(procRoot: string): string | null {
  return /^pid:\[(\d{1,20})\]$/.exec(linkAt(`${procRoot}/self/ns/pid`) ?? '')?.[1] ?? null;
}

function macosMachineId(run: ReadCommand): string | null {
  const printed = run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
  return /"IOPlatformUUID" = "([0-9A-F-]+)"/i.exec(printed ?? '')?.[1] ?? null;
}

function macosBootId(run: ReadCommand): string | null {
  return run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])?.trim() || null;
}

// FNV-1a, four times over: it only has to be stable and spread, and node:crypto is slow to load.
function derivedId(text: string): string {
  return [0, 1, 2, 3].map((round) => fnv1a(`${round} rollcall ${text}`)).join('');
}

function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** Reads the clocks of the machine. */
export type HostClock = () => Moment;

/**
 * Linux: CLOCK_MONOTONIC stands still during suspend, /proc/uptime (CLOCK_BOOTTIME) does not, so their difference is
 * the time slept through. Time slept through never shrinks, so the largest difference seen is the truest.
 */
export function createLinuxClock(options: Pick<HostSources, 'procRoot' | 'now' | 'awakeNow'>): HostClock {
  let largestMs = 0;
  return () => {
    // Uptime first: a delay between the two readings can then only make the difference smaller.
    const uptimeMs = uptimeAt(`${options.procRoot}/uptime`) * 1000;
    const awakeMs = options.awakeNow();
    const sleptMs = uptimeMs - awakeMs;
    // Not a number, where the uptime cannot be read, is never large enough.
    if (sleptMs >= JITTER_MS) largestMs = Math.max(largestMs, Math.round(sleptMs));
    return { at: options.now(), awakeMs, suspendedMs: largestMs };
  };
}

/**
 * macOS: Node's clock is mach_continuous_time and runs during sleep (libuv 1.38.1 on), so the time slept through, as the
 * kernel recorded it at the last wakeup, is taken off. Apple silicon only; untested on a real Mac.
 */
export function createMacosClock(options: {
  readonly run: ReadCommand;
  readonly now: () => number;
  readonly continuousNow: () => number;
}): HostClock {
  let suspendedMs = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const continuousMs = options.continuousNow();
    // A sleep shows as a gap on this very clock, so what was read less than a second ago still holds.
    if (continuousMs - readAtMs > WAKE_MAX_AGE_MS) {
      const printed = options.run('/usr/sbin/sysctl', [...WAKE_NAMES]);
      suspendedMs = Math.max(suspendedMs, parseSleptMs(printed ?? ''));
      readAtMs = continuousMs;
    }
    return { at: options.now(), awakeMs: continuousMs - suspendedMs, suspendedMs };
  };
}

/** Milliseconds since boot on CLOCK_MONOTONIC (Linux) or mach_continuous_time (macOS). */
export function monotonicNow(): number {
  return Math.round(Number(process.hrtime.bigint()) / 1e6);
}

// /proc/uptime counts in hundredths of a second, so 10 ms are noise; no machine suspends and resumes within 50.
const JITTER_MS = 50;
const WAKE_MAX_AGE_MS = 1_000;
const WAKE_NAMES = ['machdep.wake_abstime', 'machdep.wake_conttime', 'hw.tbfrequency'] as const;

function parseSleptMs(text: string): number {
  const [absolute, continuous, perSecond] = WAKE_NAMES.map((name) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}: `));
    return line === undefined ? Number.NaN : Number(line.slice(name.length + 2));
  }) as [number, number, number];
  const sleptMs = ((continuous - absolute) * 1000) / perSecond;
  return Number.isFinite(sleptMs) && sleptMs >= JITTER_MS ? Math.round(sleptMs) : 0;
}
