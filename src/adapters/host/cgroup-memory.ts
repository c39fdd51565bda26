import type { HostMemory } from '../../core/process.ts';
import { readText } from './read-text.ts';

/**
 * The limit and headroom of every cgroup around this process, from its own up to the highest that can be seen. Each
 * bounds it: an ancestor with a higher limit may have less left, since its other children count as well.
 */
export function readCgroupMemory(procRoot: string, sysRoot: string): HostMemory[] {
  const found: HostMemory[] = [];
  const mounts = parseMounts(readText(`${procRoot}/self/mountinfo`) ?? '', sysRoot);
  for (const line of (readText(`${procRoot}/self/cgroup`) ?? '').split('\n')) {
    const match = /^(\d+):([^:]*):(\/.*)$/.exec(line);
    if (match === null) continue;
    const [, , controllers = '', path = ''] = match;
    const files = controllers === '' ? V2 : controllers.split(',').includes('memory') ? V1 : null;
    if (files === null) continue;
    for (const mount of mounts.filter(({ source }) => source === files.source)) {
      for (const folder of foldersUpwards(mount, path)) {
        const bound = readBound(folder, files);
        if (bound !== null) found.push(bound);
      }
    }
  }
  return found;
}

interface MemoryFiles {
  readonly source: string;
  readonly limit: string;
  readonly usage: string;
  /** Cache of the group and those below it that the kernel gives back without asking. */
  readonly reclaimable: RegExp;
  /** A limit above the highest folder that can be seen. */
  readonly inherited?: RegExp;
}

const V2: MemoryFiles = {
  source: 'cgroup v2',
  limit: 'memory.max',
  usage: 'memory.current',
  reclaimable: /^inactive_file (\d+)$/m,
};

const V1: MemoryFiles = {
  source: 'cgroup v1',
  limit: 'memory.limit_in_bytes',
  usage: 'memory.usage_in_bytes',
  reclaimable: /^total_inactive_file (\d+)$/m,
  inherited: /^hierarchical_memory_limit (\d+)$/m,
};

interface CgroupMount {
  readonly source: string;
  readonly folder: string;
  /** The cgroup that is mounted there; a container often sees only its own. */
  readonly root: string;
}

// mountinfo (proc_pid_mountinfo(5)): id parent device root folder options [tags…] - kind source superoptions.
function parseMounts(text: string, sysRoot: string): CgroupMount[] {
  const mounts: CgroupMount[] = [];
  for (const line of text.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '/', folder = ''] = before.split(' ');
    const [kind, , options = ''] = after.split(' ');
    const isV1 = kind === 'cgroup' && options.split(',').includes('memory');
    if (kind !== 'cgroup2' && !isV1) continue;
    const place = folder.startsWith('/sys/') ? `${sysRoot}${folder.slice('/sys'.length)}` : folder;
    mounts.push({ source: isV1 ? V1.source : V2.source, folder: place, root });
  }
  if (mounts.length > 0) return mounts;
  return [
    { source: V2.source, folder: `${sysRoot}/fs/cgroup`, root: '/' },
    { source: V1.source, folder: `${sysRoot}/fs/cgroup/memory`, root: '/' },
  ];
}

// A path that starts with `/..` lies outside the cgroup namespace: then only the mounted root can be seen.
function foldersUpwards({ folder, root }: CgroupMount, path: string): string[] {
  const isBelow = root === '/' || path === root || path.startsWith(`${root}/`);
  const inside = isBelow && !path.startsWith('/..') ? path.slice(root === '/' ? 0 : root.length) : '';
  const names = inside.split('/').filter((name) => name !== '');
  const folders: string[] = [];
  for (let depth = names.length; depth >= 0; depth--)
    folders.push([folder, ...names.slice(0, depth)].join('/'));
  return folders;
}

function readBound(folder: string, files: MemoryFiles): HostMemory | null {
  const own = readText(`${folder}/${files.limit}`)?.trim() ?? '';
  const usage = readText(`${folder}/${files.usage}`)?.trim() ?? '';
  if (!/^\d+$/.test(own) || !/^\d+$/.test(usage)) return null;
  const stat = readText(`${folder}/memory.stat`) ?? '';
  const inherited = Number(files.inherited?.exec(stat)?.[1] ?? Number.POSITIVE_INFINITY);
  const totalBytes = Math.min(Number(own), inherited);
  const usedBytes = Math.max(0, Number(usage) - Number(files.reclaimable.exec(stat)?.[1] ?? 0));
  return { totalBytes, availableBytes: Math.max(0, totalBytes - usedBytes), source: files.source };
}
