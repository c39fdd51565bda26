import type { HostMemory } from '../../core/sight/process.ts';
import { textAt } from '../files/look.ts';
import { readCgroupMemory } from './cgroup-memory.ts';

/**
 * Memory that can still be had: the host's MemAvailable or the headroom of a cgroup around this process, whichever is
 * less. MemFree is no measure (a healthy machine fills it with cache) and load says nothing about memory.
 */
export function readLinuxMemory(procRoot: string, sysRoot: string): HostMemory | null {
  const host = memoryIn(meminfoFields(textAt(`${procRoot}/meminfo`) ?? ''));
  const bounds = readCgroupMemory(procRoot, sysRoot);
  let tightest = host;
  for (const bound of bounds) {
    // A limit above the memory that exists bounds nothing; v1 writes "no limit" as a number near 2^63.
    if (bound.totalBytes >= (host?.totalBytes ?? Number.MAX_SAFE_INTEGER)) continue;
    if (tightest === null || bound.availableBytes < tightest.availableBytes) tightest = bound;
  }
  return tightest;
}

/** The sizes in /proc/meminfo, bytes. */
export function meminfoFields(text: string): ReadonlyMap<string, number> {
  const fields = new Map<string, number>();
  for (const [, name = '', kibibytes] of text.matchAll(/^([\w()]+):\s+(\d+) kB$/gm)) {
    fields.set(name, Number(kibibytes) * 1024);
  }
  return fields;
}

/** What the host has left; null when it says too little. */
export function memoryIn(fields: ReadonlyMap<string, number>): HostMemory | null {
  const totalBytes = fields.get('MemTotal');
  if (totalBytes === undefined) return null;
  const availableBytes = fields.get('MemAvailable');
  if (availableBytes !== undefined) return { totalBytes, availableBytes, source: 'MemAvailable' };
  return estimate(totalBytes, fields);
}

// Before Linux 3.14. Shared memory is counted as cache there, but cannot be given back.
function estimate(totalBytes: number, fields: ReadonlyMap<string, number>): HostMemory | null {
  const free = fields.get('MemFree');
  if (free === undefined) return null;
  const of = (name: string) => fields.get(name) ?? 0;
  const cache = Math.max(0, of('Buffers') + of('Cached') + of('SReclaimable') - of('Shmem'));
  return {
    totalBytes,
    availableBytes: Math.min(totalBytes, free + cache),
    source: 'MemFree and cache (estimate)',
  };
}
