import { readlinkSync } from 'node:fs';
import type { HostIdentity } from '../../core/sight/identity.ts';
import { visible } from '../../core/text/visible.ts';
import { textAt } from '../files/look.ts';
import type { RunCommand } from './read-text.ts';

/** Reads who this machine is and which boot of it this is. */
export function readHostIdentity(sources: IdentitySources): HostIdentity {
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

interface IdentitySources {
  readonly procRoot: string;
  readonly platform: NodeJS.Platform;
  readonly machineIdPaths: readonly string[];
  readonly hostname: () => string;
  readonly run: RunCommand;
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
  try {
    return /^pid:\[(\d{1,20})\]$/.exec(readlinkSync(`${procRoot}/self/ns/pid`))?.[1] ?? null;
  } catch {
    return null;
  }
}

function macosMachineId(run: RunCommand): string | null {
  const printed = run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
  return /"IOPlatformUUID" = "([0-9A-F-]+)"/i.exec(printed ?? '')?.[1] ?? null;
}

function macosBootId(run: RunCommand): string | null {
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
