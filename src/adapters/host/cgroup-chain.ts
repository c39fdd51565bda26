import { textAt } from '../files/look.ts';

/** A cgroup that a process lives in, or one above it. */
export interface Cgroup {
  readonly version: CgroupVersion;
  /** As /proc names it, so the same through every mount. */
  readonly path: string;
  readonly folder: string;
}

export type CgroupVersion = 'cgroup v1' | 'cgroup v2';

/** The memory cgroups around a process, from its own up to the highest visible. Null where it cannot be read. */
export function cgroupsAround(procRoot: string, sysRoot: string, pid: number | 'self'): Cgroup[] | null {
  const text = textAt(`${procRoot}/${pid}/cgroup`);
  if (text === null) return null;
  // Where they are mounted is asked of rollcall's own mounts, whoever the process is: those are the paths it can read.
  const mounts = parseMounts(textAt(`${procRoot}/self/mountinfo`) ?? '', sysRoot);
  return text.split('\n').flatMap((line) => {
    const match = /^(\d+):([^:]*):(\/.*)$/.exec(line);
    if (match === null) return [];
    const [, , controllers = '', path = ''] = match;
    const isV1 = controllers.split(',').includes('memory');
    if (controllers !== '' && !isV1) return [];
    const version = isV1 ? 'cgroup v1' : 'cgroup v2';
    return mounts
      .filter((mount) => mount.version === version)
      .flatMap((mount) => upwards(mount, path).map((place) => ({ version, ...place }) as const));
  });
}

interface CgroupMount {
  readonly version: CgroupVersion;
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
    mounts.push({ version: isV1 ? 'cgroup v1' : 'cgroup v2', folder: place, root });
  }
  if (mounts.length > 0) return mounts;
  return [
    { version: 'cgroup v2', folder: `${sysRoot}/fs/cgroup`, root: '/' },
    { version: 'cgroup v1', folder: `${sysRoot}/fs/cgroup/memory`, root: '/' },
  ];
}

/** No path of the kernel's is longer (PATH_MAX); one that is, is not followed upwards. */
const LONGEST_PATH = 4096;

// A path that starts with `/..` lies outside the cgroup namespace: then only the mounted root can be seen.
function upwards({ folder, root }: CgroupMount, own: string): Omit<Cgroup, 'version'>[] {
  const isBelow = root === '/' || own === root || own.startsWith(`${root}/`);
  const isSeen = isBelow && !own.startsWith('/..') && own.length <= LONGEST_PATH;
  const inside = isSeen ? own.slice(root === '/' ? 0 : root.length) : '';
  const names = inside.split('/').filter((name) => name !== '');
  const places: Omit<Cgroup, 'version'>[] = [];
  for (let depth = names.length; depth >= 0; depth--) {
    const kept = names.slice(0, depth);
    const path = [root === '/' ? '' : root, ...kept].join('/');
    places.push({ path: path === '' ? '/' : path, folder: [folder, ...kept].join('/') });
  }
  return places;
}
