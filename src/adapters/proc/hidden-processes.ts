import { readlinkSync } from 'node:fs';
import { readProcText } from './proc-file.ts';

/**
 * Says whether /proc is mounted so that processes of others are hidden (proc(5), `hidepid`); null when it is not.
 * Also with root's rights the answer stands: which group or capability is exempt differs between user namespaces,
 * and a table wrongly called complete is the costlier mistake.
 */
export function hiddenProcessesProblem(procRoot: string): string | null {
  if (isOfAnotherNamespace(procRoot))
    return '/proc is of another pid namespace: it tells other numbers than tmux does';
  const mounts = readProcText(`${procRoot}/self/mounts`) ?? readProcText(`${procRoot}/mounts`);
  if (mounts === null) return 'cannot tell whether processes are hidden: the mount table is unreadable';
  const option = hidepidOption(mounts, procRoot);
  return option === null ? null : `/proc is mounted with ${option}: processes of others may be hidden`;
}

// `unshare -p` without a /proc of its own, or a container that was given the host's.
function isOfAnotherNamespace(procRoot: string): boolean {
  try {
    return readlinkSync(`${procRoot}/self`) !== String(process.pid);
  } catch {
    return false;
  }
}

// Later lines lie over earlier ones. `0` and `off` hide nothing; names exist since Linux 5.8, numbers before.
function hidepidOption(mounts: string, procRoot: string): string | null {
  let found: string | null = null;
  for (const line of mounts.split('\n')) {
    const [, folder, kind, options = ''] = line.split(' ');
    if (kind !== 'proc' || (folder !== '/proc' && folder !== procRoot)) continue;
    const option = options.split(',').find((text) => text.startsWith('hidepid='));
    found = option === undefined || option === 'hidepid=0' || option === 'hidepid=off' ? null : option;
  }
  return found;
}
