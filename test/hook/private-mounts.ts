import { execFileSync } from 'node:child_process';

/** A mount namespace of one's own, which needs no root and goes with the process; false where the kernel refuses. */
export const PRIVATE_MOUNTS = ['unshare', '--map-root-user', '--mount'];
export const hasPrivateMounts = (() => {
  try {
    execFileSync('unshare', [...PRIVATE_MOUNTS.slice(1), 'sh', '-ec', 'mount -t tmpfs none /tmp'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
})();
