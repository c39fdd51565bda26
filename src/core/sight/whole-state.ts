/**
 * The state of a whole process, by what the kernel tells of its first thread (field 3 of /proc/PID/stat) and the number of
 * its threads (field 20). A first thread that has ended shows as a zombie while the others work: a process that has ended has
 * one thread at most. It runs, where none of the others can be looked at.
 */
export function wholeState(first: string, threads: number, living: () => string | null = none): string {
  return first === 'Z' && threads > 1 ? (living() ?? 'R') : first;
}

function none(): null {
  return null;
}
