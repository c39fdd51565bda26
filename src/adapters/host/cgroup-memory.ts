import type { HostMemory } from '../../core/sight/process.ts';
import { textAt } from '../files/look.ts';
import { type Cgroup, type CgroupVersion, cgroupsAround } from './cgroup-chain.ts';

/**
 * The limit and headroom of every cgroup around this process, from its own up to the highest that can be seen. Each
 * bounds it: an ancestor with a higher limit may have less left, since its other children count as well.
 */
export function readCgroupMemory(procRoot: string, sysRoot: string): HostMemory[] {
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
    reclaimable: /^(?:in)?active_file (\d+)$/gm,
  },
  'cgroup v1': {
    limits: ['memory.limit_in_bytes'],
    usage: 'memory.usage_in_bytes',
    reclaimable: /^total_(?:in)?active_file (\d+)$/gm,
    inherited: /^hierarchical_memory_limit (\d+)$/m,
  },
};

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

// A group without a limit says `max`.
function numberIn(path: string): number | null {
  const text = textAt(path)?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}
