import { openSync, readdirSync, readSync } from 'node:fs';
import { uptime } from 'node:os';
import type { ProcessMark } from '../../core/sight/identity.ts';
import type { Process, ProcessTable } from '../../core/sight/process.ts';
import { linkAt } from '../files/look.ts';
import { withFile } from '../files/own-file.ts';
import { type KernelUnits, readKernelUnits } from './kernel-units.ts';
import { parseStat } from './parse-stat.ts';
import { failure, livingThread, readProcText } from './proc-file.ts';

/** One process, or why there is none. */
export type StatRead =
  | { readonly state: 'read'; readonly process: Process }
  | { readonly state: 'gone' }
  | { readonly state: 'refused'; readonly code: string };

/** Reads the process table, whole or one line of it. */
export interface LinuxProcessTable {
  sense(): ProcessTable;
  /** One process as it is at this moment: the recheck of an identity. */
  senseOne(pid: number): StatRead;
  /** Whether it is still that very process: then what was read of it since is its own. */
  isStill(mark: ProcessMark): boolean;
  /** Where /proc tells of a process: in the folder of another thread, where it was last seen without its first one. */
  folder(pid: number): string;
}

/** Makes the reader. Each process costs one open, one read and one close: nothing else is asked of the kernel. */
export function createLinuxProcessTable(options: {
  readonly procRoot: string;
  readonly now?: () => number;
  readonly units?: KernelUnits;
}): LinuxProcessTable {
  const { procRoot, now = Date.now, units = readKernelUnits(procRoot) } = options;
  let bootAt = 0;
  // Of processes whose first thread has ended.
  const threadFolders = new Map<number, string>();
  let hidden: { readonly at: number; readonly problem: string | null } | undefined;

  const senseOne = (pid: number): StatRead => {
    const living = (): string | null => {
      const found = livingThread(procRoot, pid);
      if (found !== null) threadFolders.set(pid, found.folder);
      return found?.state ?? null;
    };
    let length: number;
    threadFolders.delete(pid);
    try {
      length = readOnce(`${procRoot}/${pid}/stat`);
    } catch (error) {
      return failure(error);
    }
    if (bootAt === 0) bootAt = readBootAt(procRoot, now());
    const process = parseStat(LINE, length, pid, units, bootAt, living);
    if (process !== null) return { state: 'read', process };
    return length === 0 ? { state: 'gone' } : { state: 'refused', code: 'garbled' };
  };

  return {
    senseOne,
    isStill({ pid, startTicks }) {
      const read = senseOne(pid);
      return read.state === 'read' && read.process.startTicks === startTicks;
    },
    folder: (pid) => threadFolders.get(pid) ?? `${procRoot}/${pid}`,
    sense() {
      const observedAt = now();
      const byPid = new Map<number, Process>();
      let names: string[];
      try {
        names = readdirSync(procRoot);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? String(error);
        const problem = `the process table is unreadable: ${code}`;
        return { observedAt, byPid, isComplete: false, problem, mayLackOwn: true };
      }
      bootAt = readBootAt(procRoot, observedAt);
      threadFolders.clear();
      const refusals = new Map<string, number>();
      for (const name of names) {
        const pid = Number(name);
        if (Number.isNaN(pid)) continue;
        const read = senseOne(pid);
        if (read.state === 'read') byPid.set(read.process.pid, read.process);
        else if (read.state === 'refused') refusals.set(read.code, (refusals.get(read.code) ?? 0) + 1);
      }
      const age = hidden === undefined ? Number.POSITIVE_INFINITY : observedAt - hidden.at;
      if (hidden === undefined || age < 0 || age > MOUNTS_MAX_AGE_MS) {
        hidden = { at: observedAt, problem: hiddenProcessesProblem(procRoot) };
      }
      const problems = [...refusals].map(
        ([code, count]) => `processes that could not be read: ${count} (${code})`,
      );
      if (hidden.problem !== null) problems.push(hidden.problem);
      // Every pid namespace has a process 1, so a table without it hides processes, whatever the mounts say.
      if (!byPid.has(1)) problems.push('process 1 is not visible, so others may be hidden too');
      if (problems.length === 0) return { observedAt, byPid, isComplete: true };
      const lacksOwn = [...refusals.keys()].some((code) => !OF_OTHERS.has(code));
      const found = { observedAt, byPid, isComplete: false, problem: problems.join('; ') };
      return lacksOwn ? { ...found, mayLackOwn: true } : found;
    },
  };
}

// Whoever may not read a process is told so; of one's own only such are kept back as the kernel guards.
const OF_OTHERS: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

// A remount with hidepid is rare, takes process 1 out of sight at once, and container hosts have thousands of mounts.
const MOUNTS_MAX_AGE_MS = 60_000;

// 52 numbers of at most 20 digits, a pid and a name of at most 64 bytes: the longest line there can be is shorter.
const LINE = Buffer.allocUnsafeSlow(2048);

function readOnce(path: string): number {
  return withFile(openSync(path, 'r'), (file) => readSync(file, LINE, 0, LINE.length, null));
}

/**
 * When the machine booted, epoch ms, on the wall clock as it stands now: a stepped clock moves it, so it is read for
 * each look and never part of an identity. Where /proc/stat is masked, the system call behind `uptime` gives the same.
 */
function readBootAt(procRoot: string, now: number): number {
  const btime = /^btime (\d+)$/m.exec(readProcText(`${procRoot}/stat`) ?? '')?.[1];
  return btime === undefined ? Math.round(now - uptime() * 1000) : Number(btime) * 1000;
}

/**
 * Says whether /proc is mounted so that processes of others are hidden (proc(5), `hidepid`); null when it is not.
 * Also with root's rights the answer stands: which group or capability is exempt differs between user namespaces,
 * and a table wrongly called complete is the costlier mistake.
 */
function hiddenProcessesProblem(procRoot: string): string | null {
  if (isOfAnotherNamespace(procRoot))
    return '/proc is of another pid namespace: it tells other numbers than tmux does';
  const mounts = readProcText(`${procRoot}/self/mounts`) ?? readProcText(`${procRoot}/mounts`);
  if (mounts === null) return 'cannot tell whether processes are hidden: the mount table is unreadable';
  const option = hidepidOption(mounts, procRoot);
  return option === null ? null : `/proc is mounted with ${option}: processes of others may be hidden`;
}

// `unshare -p` without a /proc of its own, or a container that was given the host's.
function isOfAnotherNamespace(procRoot: string): boolean {
  const self = linkAt(`${procRoot}/self`);
  return self !== null && self !== String(process.pid);
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
