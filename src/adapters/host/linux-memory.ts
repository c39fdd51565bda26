import type { HostMemory } from '../../core/sight/process.ts';
import { textAt } from '../files/look.ts';
import { type Cgroup, type CgroupVersion, cgroupsAround } from './cgroup-chain.ts';

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
  for (const [, name = '', kibibytes] of text.matchAll(/^([\w()]+): +(\d{1,15}) kB$/gm)) {
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

/**
 * The limit and headroom of every cgroup around this process, from its own up to the highest that can be seen. Each
 * bounds it: an ancestor with a higher limit may have less left, since its other children count as well.
 */
function readCgroupMemory(procRoot: string, sysRoot: string): HostMemory[] {
  const groups = cgroupsAround(procRoot, sysRoot, 'self') ?? [];
  return groups.flatMap((group) => {
    const bound = readBound(group);
    return bound === null ? [] : [{ ...bound, source: group.version }];
  });
}

interface MemoryFiles {
  /** The least of them counts: above `memory.high` a group is throttled, which is as bad as a limit. */
  readonly limits: readonly string[];
  readonly usage: string;
  /** Cache of the group and those below it that the kernel gives back without asking, as MemAvailable counts it. */
  readonly reclaimable: RegExp;
  /** A limit above the highest folder that can be seen. */
  readonly inherited?: RegExp;
}

const FILES: Readonly<Record<CgroupVersion, MemoryFiles>> = {
  'cgroup v2': {
    limits: ['memory.max', 'memory.high'],
    usage: 'memory.current',
    reclaimable: /^(?:in)?active_file (\d{1,20})$/gm,
  },
  'cgroup v1': {
    limits: ['memory.limit_in_bytes'],
    usage: 'memory.usage_in_bytes',
    reclaimable: /^total_(?:in)?active_file (\d{1,20})$/gm,
    inherited: /^hierarchical_memory_limit (\d{1,20})$/m,
  },
};

/** The amounts of a reading that says what is available. */
export function amountsOf({ availableBytes, totalBytes }: Omit<HostMemory, 'source'>) {
  return { state: 'read', value: availableBytes, totalBytes } as const;
}

/** The limit of one cgroup and what is left of it; null where it has none, or does not say how much it uses. */
export function readBound({ version, folder }: Cgroup): Omit<HostMemory, 'source'> | null {
  const files = FILES[version];
  const usage = numberIn(`${folder}/${files.usage}`);
  const limits = files.limits.flatMap((name) => numberIn(`${folder}/${name}`) ?? []);
  if (usage === null || limits.length === 0) return null;
  const stat = textAt(`${folder}/memory.stat`) ?? '';
  const inherited = Number(files.inherited?.exec(stat)?.[1] ?? Number.POSITIVE_INFINITY);
  const totalBytes = Math.min(...limits, inherited);
  let cachedBytes = 0;
  for (const [, bytes] of stat.matchAll(files.reclaimable)) cachedBytes += Number(bytes);
  const usedBytes = Math.max(0, usage - cachedBytes);
  return { totalBytes, availableBytes: Math.max(0, totalBytes - usedBytes) };
}

// A group without a limit says `max`. No kernel counts beyond 2^64, which has 20 digits.
function numberIn(path: string): number | null {
  const text = textAt(path)?.trim() ?? '';
  return /^\d{1,20}$/.test(text) ? Number(text) : null;
}
