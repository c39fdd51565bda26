import { afterCarriers } from '../close/one-program.ts';
import { isUsual, programName } from '../program.ts';
import { isLock } from '../start-command.ts';

// They confine a program, or give it secrets, limits or another user: without them an agent would have more, or less, than
// it was given.
const LAUNCHERS: ReadonlySet<string> = new Set(
  (
    'bwrap firejail sandbox-exec nsjail unshare setpriv sudo doas runuser systemd-run prlimit taskset chrt ionice stdbuf ' +
    'caffeinate op doppler aws-vault chamber'
  ).split(' '),
);

/**
 * Whether the words before an agent's own only launch it: `rollcall lock … --`, what sets variables or priority, a known
 * sandbox. A script of one's own may do work of its own first, which is not to be done twice.
 */
export function onlyLaunches(before: readonly string[]): boolean {
  const [first] = before;
  if (first === undefined || isLock(before)) return true;
  return isUsual(first) && (LAUNCHERS.has(programName(first)) || afterCarriers(before).length === 0);
}
