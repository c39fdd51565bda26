import type { ProcessMark } from '../../core/sight/identity.ts';
import type { Process, ProcessDetails, ProcessTable, UnseenFolder } from '../../core/sight/process.ts';
import type { DetailNeeds } from '../../ports/sensor.ts';
import { linkAt } from '../files/look.ts';
import type { LinuxProcessTable } from './linux-process-table.ts';
import { createLinuxSight } from './linux-sight.ts';
import { readProcFile } from './proc-file.ts';

/**
 * Reads arguments, working directory, storage traffic and memory share of the processes that matter. Arguments and paths are
 * handed on as they are, since they are compared and used again; whoever prints them makes them visible.
 */
export function createLinuxDetails(options: {
  readonly procRoot: string;
  readonly now: () => number;
  readonly table: Pick<LinuxProcessTable, 'senseOne' | 'folder'>;
}) {
  const { procRoot, now, table } = options;
  const sight = createLinuxSight(procRoot);
  const kept = new Map<number, Kept>();
  let latest: ProcessTable | undefined;

  // The caller saw this process before, so one that bears the same start mark after a reading bore it during it.
  const recheck = (pid: number, startTicks: number): Process | null => {
    const read = table.senseOne(pid);
    return read.state === 'read' && read.process.startTicks === startTicks ? read.process : null;
  };

  // What was kept stands for a process that the newest table shows unchanged, without a read.
  const recall = (pid: number, startTicks: number, needs: DetailNeeds): ProcessDetails | null => {
    const known = kept.get(pid);
    const seen = latest?.byPid.get(pid);
    if (needs.io !== false || known?.startTicks !== startTicks || seen?.startTicks !== startTicks)
      return null;
    const at = now();
    const isFresh =
      isArgvFresh(known.argv, seen, at) &&
      (needs.memory === false || isPssFresh(known.pss, seen, at)) &&
      (needs.cwd === false || (known.cwd !== undefined && isYoung(known.cwd.at, at, CWD_MAX_AGE_MS)));
    if (!isFresh) return null;
    if (needs.memory === false || needs.cwd === false) return detailsOf(pid, known, undefined, needs);
    known.told ??= detailsOf(pid, known, undefined, needs);
    return known.told;
  };

  /** Reads again what is too old for a process that was just seen so; says whether anything was. */
  const renew = (known: Kept, seen: Process, folder: string, needs: DetailNeeds): boolean => {
    const at = now();
    const { comm, imageMark = 0, rssBytes } = seen;
    const isArgvOld = !isArgvFresh(known.argv, seen, at);
    const isPssOld = needs.memory !== false && !isPssFresh(known.pss, seen, at);
    if (isArgvOld) known.argv = { at, comm, imageMark, words: readArgv(folder) };
    if (isPssOld) known.pss = { at, rssBytes, bytes: readPssBytes(folder) };
    return isArgvOld || isPssOld;
  };

  const readOne = (pid: number, startTicks: number, needs: DetailNeeds): ProcessDetails | null => {
    const folder = table.folder(pid);
    const cwd = needs.cwd === false ? undefined : linkAt(`${folder}/cwd`);
    const unseen = cwd === undefined ? null : sight.folder(pid, cwd);
    const ioBytes = needs.io === false ? undefined : readIoBytes(`${procRoot}/${pid}`);
    const last = kept.get(pid);
    const known: Kept = last?.startTicks === startTicks ? last : { startTicks };
    // What is old by the newest table is read before the recheck, so that most need only one.
    const seen = latest?.byPid.get(pid);
    if (seen?.startTicks === startTicks) renew(known, seen, folder, needs);
    const process = recheck(pid, startTicks);
    if (process === null) return null;
    // What has ended works nowhere any more.
    if (cwd !== undefined)
      known.cwd = { at: now(), path: cwd, unseen: process.state === 'Z' ? null : unseen };
    delete known.told;
    if (renew(known, process, folder, needs) && recheck(pid, startTicks) === null) return null;
    kept.set(pid, known);
    return detailsOf(pid, known, ioBytes, needs);
  };

  return {
    read(processes: Iterable<ProcessMark>, needs: DetailNeeds): Map<number, ProcessDetails> {
      const found = new Map<number, ProcessDetails>();
      for (const { pid, startTicks } of processes) {
        const details = recall(pid, startTicks, needs) ?? readOne(pid, startTicks, needs);
        if (details === null) kept.delete(pid);
        else found.set(pid, details);
      }
      return found;
    },
    /** Takes the newest table: it vouches for the processes in it and drops what is kept of the others. */
    take(current: ProcessTable): void {
      latest = current;
      for (const [pid, known] of kept) {
        if (current.byPid.get(pid)?.startTicks !== known.startTicks) kept.delete(pid);
      }
    },
  };
}

function detailsOf(
  pid: number,
  { startTicks, argv, cwd, pss }: Kept,
  ioBytes: number | undefined,
  needs: DetailNeeds,
): ProcessDetails {
  const details: { -readonly [K in keyof ProcessDetails]: ProcessDetails[K] } = {
    pid,
    startTicks,
    argv: argv?.words ?? NO_WORDS,
  };
  if (needs.cwd !== false && cwd !== undefined) {
    if (cwd.unseen !== null) details.unseen = cwd.unseen;
    else if (cwd.path !== null) details.cwd = cwd.path;
  }
  if (ioBytes !== undefined) details.ioBytes = ioBytes;
  if (needs.memory !== false && pss?.bytes !== undefined) details.pssBytes = pss.bytes;
  return details;
}

const NO_WORDS: readonly string[] = [];

interface Kept {
  readonly startTicks: number;
  /** What was last told without storage counters: the same object as long as nothing was read anew. */
  told?: ProcessDetails;
  argv?: {
    readonly at: number;
    readonly comm: string;
    readonly imageMark: number;
    readonly words: readonly string[];
  };
  cwd?: { readonly at: number; readonly path: string | null; readonly unseen: UnseenFolder | null };
  pss?: { readonly at: number; readonly rssBytes: number; readonly bytes: number | undefined };
}

// exec keeps pid and start mark, but moves the program in memory. A program may also rewrite its own title, which most
// do right after their start: so what is young, or where the kernel hides the place, is read again soon.
const ARGV_MAX_AGE_MS = 60_000;
const ARGV_UNSURE_AGE_MS = 5_000;
const ARGV_SETTLED_MS = 10_000;
// git is asked about this folder, so it may not be older than the least rest that closing asks for (exitedAfter, 1 s).
const CWD_MAX_AGE_MS = 1_000;
// smaps_rollup walks every page of the process (4.9 ms of CPU time for 280 MB on a busy machine, where stat takes 0.04). The
// share drifts slowly, and what a process takes itself shows in its resident memory.
const PSS_MAX_AGE_MS = 300_000;
const PSS_MAX_DRIFT = 0.05;
// Linux caps arguments and environment together at 6 MiB (three quarters of its 8 MiB default stack): none is cut off.
const CMDLINE_LIMIT_BYTES = 8 * 1024 * 1024;

// In the middle of an exec a command line reads as empty; for good only that of kernel threads and zombies does.
function isArgvFresh(argv: Kept['argv'], process: Process, at: number): boolean {
  if (argv === undefined || (argv.words.length === 0 && process.rssBytes > 0)) return false;
  if (argv.comm !== process.comm || argv.imageMark !== (process.imageMark ?? 0)) return false;
  const isSettled = argv.imageMark > 1 && argv.at - process.startedAt > ARGV_SETTLED_MS;
  return isYoung(argv.at, at, isSettled ? ARGV_MAX_AGE_MS : ARGV_UNSURE_AGE_MS);
}

function isPssFresh(pss: Kept['pss'], process: Process, at: number): boolean {
  if (pss === undefined || !isYoung(pss.at, at, PSS_MAX_AGE_MS)) return false;
  return Math.abs(process.rssBytes - pss.rssBytes) <= PSS_MAX_DRIFT * pss.rssBytes;
}

// A wall clock that was stepped back makes ages negative: those are read again.
function isYoung(readAt: number, at: number, maxAgeMs: number): boolean {
  return at >= readAt && at - readAt <= maxAgeMs;
}

// A program that rewrites its title (Node's process.title) leaves the rest of its arguments as a run of NULs.
function readArgv(folder: string): readonly string[] {
  const read = readProcFile(`${folder}/cmdline`, CMDLINE_LIMIT_BYTES);
  if (read.state !== 'read' || read.bytes.length === 0) return [];
  const words = read.bytes.toString('utf8').replace(/\0$/, '').split('\0');
  let end = words.length;
  while (end > 0 && words[end - 1] === '') end--;
  return words.length - end > 1 ? words.slice(0, end) : words;
}

function readIoBytes(folder: string): number | undefined {
  const read = readProcFile(`${folder}/io`);
  if (read.state !== 'read') return undefined;
  const text = read.bytes.toString('latin1');
  const readBytes = /^read_bytes: (\d{1,20})$/m.exec(text)?.[1];
  const writeBytes = /^write_bytes: (\d{1,20})$/m.exec(text)?.[1];
  return readBytes === undefined || writeBytes === undefined
    ? undefined
    : Number(readBytes) + Number(writeBytes);
}

function readPssBytes(folder: string): number | undefined {
  const read = readProcFile(`${folder}/smaps_rollup`);
  const kibibytes =
    read.state === 'read' ? /^Pss: +(\d{1,15}) kB$/m.exec(read.bytes.toString('latin1'))?.[1] : undefined;
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
