import type { ChildProcess } from 'node:child_process';

/**
 * Ends the process group of a child that was started detached. A group keeps its number as long as somebody is in it; once
 * the child was reaped and its number is a process again, that is somebody else's, and the group with it.
 */
export function endGroup(child: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>): void {
  const { pid } = child;
  if (pid === undefined) return;
  const isReaped = child.exitCode !== null || child.signalCode !== null;
  if (isReaped && isRunning(pid)) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

/** Whether the kernel still knows the process; one of another user answers with a refusal, and lives. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
