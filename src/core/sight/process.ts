import type { ProcessMark } from './identity.ts';

/** One process as one pass over the process table saw it. */
export interface Process extends ProcessMark {
  readonly ppid: number;
  readonly pgid: number;
  /** Session id: survives re-parenting, so it finds children that nohup'ed away. */
  readonly sid: number;
  /** Device number of its terminal, 0 without one; absent where it is not known. */
  readonly ttyNumber?: number;
  /** Foreground group of its terminal, -1 without one. */
  readonly tpgid: number;
  /** R, S, D, T (stopped), Z (zombie) …, as in /proc/<pid>/stat. */
  readonly state: string;
  readonly startedAt: number;
  readonly comm: string;
  /** CPU time used so far, ms. */
  readonly cpuMs: number;
  /** CPU time of its children that have ended: short work between two looks shows here and nowhere else, ms. */
  readonly reapedCpuMs?: number;
  readonly rssBytes: number;
  /** Changes with every exec (where the kernel put the program), 0 where it does not tell. */
  readonly imageMark?: number;
}

/** What a process is called, where its command line is not at hand. Node.js gives its first thread this name from 24 on. */
export function commonName({ comm }: Pick<Process, 'comm'>): string {
  return comm === 'MainThread' ? 'node' : comm;
}

/** The number of the process that all of the kernel's own threads hang on, unless a container counts by itself. */
const KTHREADD = 2;

/** Whether a process is a thread of the kernel's own. In a container the number is that of any program. */
export function isKernelThread(
  { pid, ppid }: Pick<Process, 'pid' | 'ppid'>,
  byPid: ReadonlyMap<number, Process>,
): boolean {
  if (pid !== KTHREADD && ppid !== KTHREADD) return false;
  const top = byPid.get(KTHREADD);
  return top?.comm === 'kthreadd' && top.ppid === 0;
}

/** The whole table, from one pass. */
export interface ProcessTable {
  readonly observedAt: number;
  readonly byPid: ReadonlyMap<number, Process>;
  /** False when other processes may be hidden (hidepid, a failed read of the table): absence then proves nothing. */
  readonly isComplete: boolean;
  /** Why the table is incomplete or missing. */
  readonly problem?: string;
  /** Also processes of this user may be missing: it was not only kept from those of others. */
  readonly mayLackOwn?: true;
}

/** Whether processes of this user may run that the table does not have. Where others' are hidden, one's own are there, but for such as the kernel guards. */
export function lacksOwn({ byPid, mayLackOwn }: ProcessTable): boolean {
  return mayLackOwn === true || byPid.size === 0;
}

/**
 * Why the folder of a process is not known: the kernel does not tell it, or its path leads to another folder here, because the
 * process has other mounts.
 */
export type UnseenFolder = 'hidden' | 'elsewhere';

/** What is read only for processes that matter to a session. */
export interface ProcessDetails extends ProcessMark {
  readonly argv: readonly string[];
  /** Only where its path leads rollcall to the same folder. */
  readonly cwd?: string;
  readonly unseen?: UnseenFolder;
  /** Bytes read and written through the storage layer so far; absent where not permitted. */
  readonly ioBytes?: number;
  /** Proportional share of memory; absent where not permitted. */
  readonly pssBytes?: number;
}

/** Environment markers that tie a process to the pane it was started from. */
export interface ProcessMarkers extends ProcessMark {
  /** Value of TMUX: socket path, server pid and session number. */
  readonly tmux?: string;
  /** Value of TMUX_PANE. */
  readonly tmuxPane?: string;
}

/** Who has terminals open. */
export interface TerminalHolders {
  /** For each terminal that is there. */
  readonly byTty: ReadonlyMap<string, readonly Process[]>;
  /** False where that could not be read: then nobody proves nothing. */
  readonly isComplete: boolean;
}

/** Memory of the machine, or of the cgroup that really bounds it. */
export interface HostMemory {
  readonly totalBytes: number;
  readonly availableBytes: number;
  /** Which reading bounds it: `MemAvailable`, `cgroup v2`, `cgroup v1`, `vm_stat`, or an estimate. */
  readonly source: string;
}

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
