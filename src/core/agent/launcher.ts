import { afterCarriers } from '../close/one-program.ts';
import { isUsual, programName } from '../program.ts';
import { isLock } from '../start-command.ts';

// They set up where and how a program runs, and do no work of their own.
const LAUNCHERS: ReadonlySet<string> = new Set(
  (
    'bwrap firejail sandbox-exec nsjail unshare nsenter chroot proot setpriv sudo doas runuser systemd-run prlimit taskset chrt ' +
    'ionice numactl stdbuf setarch script caffeinate op doppler aws-vault chamber dotenv dotenvx infisical envchain sops mise ' +
    'direnv devbox flox nix uv poetry pipenv npx bunx npm pnpm yarn fnm distrobox toolbox docker podman kubectl apptainer singularity ' +
    'flatpak flatpak-spawn ssh mosh'
  ).split(' '),
);

/**
 * Whether the words before an agent's own only launch it: `rollcall lock … --`, what sets variables or priority, a known
 * sandbox or container. A script of one's own may do work of its own first, which is not to be done twice.
 */
export function onlyLaunches(before: readonly string[]): boolean {
  const [first] = before;
  if (first === undefined || isLock(before)) return true;
  return isUsual(first) && (LAUNCHERS.has(programName(first)) || afterCarriers(before).length === 0);
}
