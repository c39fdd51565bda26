/** How the threads of a process stood at one moment. */
export interface ThreadRest {
  /** The states of all its threads, a letter each, as in /proc/<pid>/stat. */
  readonly states: string;
  /** A debugger or a tracer is at one of them. */
  readonly isTraced: boolean;
  /** Its cgroup is frozen: it goes on from where it is. */
  readonly isFrozen: boolean;
}

/**
 * What keeps a process from using the CPU besides having nothing to do; null where it simply slept at every reading. What
 * somebody stopped, holds in a debugger or froze is not idle, and one that waits for its disk works.
 */
export function whyNotAsleep(readings: readonly (ThreadRest | null)[]): string | null {
  for (const reading of readings) {
    if (reading === null) return 'whether it sleeps cannot be read';
    const { states, isTraced, isFrozen } = reading;
    if (isTraced) return 'it is being traced, as by a debugger';
    if (isFrozen) return 'it was frozen in the middle of what it does';
    if (/[Tt]/.test(states)) return 'it was stopped in the middle of what it does';
    if (!/^S+$/.test(states)) return `it does not sleep (state ${/[^S]/.exec(states)?.[0] ?? 'unknown'})`;
  }
  return null;
}
