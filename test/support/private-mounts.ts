import { execFileSync } from 'node:child_process';

/** A mount namespace of one's own, which needs no root and goes with the process; false where the kernel refuses. */
export const PRIVATE_MOUNTS = ['unshare', '--map-root-user', '--mount'];
export const hasPrivateMounts = (() => {
  try {
    const probe = 'mount -t tmpfs none /tmp && mount -o remount,ro none /tmp';
    execFileSync('unshare', [...PRIVATE_MOUNTS.slice(1), 'sh', '-ec', probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
