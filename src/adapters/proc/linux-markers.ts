import type { ProcessMark, ProcessMarkers, ProcessTable } from '../../core/sight/process.ts';
import type { LinuxProcessTable } from './linux-process-table.ts';
import { readProcFile } from './proc-file.ts';

/**
 * Reads which pane a process was started from, for processes that left its tree. Only TMUX and TMUX_PANE ever leave the
 * environment block; a process whose block is not ours to read is left out, as every machine has such processes.
 */
export function createLinuxMarkers(table: LinuxProcessTable, now: () => number) {
  const kept = new Map<number, Kept>();
  let latest: ProcessTable | undefined;

  // What was kept stands for a process that the newest table shows under the same mark and name, without a read.
  const recall = (pid: number, startTicks: number, at: number): Kept | undefined => {
    const known = kept.get(pid);
    const seen = latest?.byPid.get(pid);
    if (known?.startTicks !== startTicks || seen?.startTicks !== startTicks || !known.isSettled)
      return undefined;
    const ageMs = at - known.at;
    return seen.comm === known.comm && ageMs >= 0 && ageMs <= MAX_AGE_MS ? known : undefined;
  };

  const readOne = (pid: number, startTicks: number, at: number): Kept | undefined => {
    const folder = table.folder(pid);
    const { markers, isEmpty } = readMarkers(`${folder}/environ`);
    const read = table.senseOne(pid);
    if (read.state !== 'read' || read.process.startTicks !== startTicks) return undefined;
    // The thread that it was read of has ended meanwhile.
    if (table.folder(pid) !== folder) return undefined;
    const { comm, rssBytes } = read.process;
    return { startTicks, at, comm, markers, isSettled: !isEmpty || rssBytes === 0 };
  };

  return {
    read(processes: Iterable<ProcessMark>): Map<number, ProcessMarkers> {
      const found = new Map<number, ProcessMarkers>();
      for (const { pid, startTicks } of processes) {
        const at = now();
        const known = recall(pid, startTicks, at) ?? readOne(pid, startTicks, at);
        if (known === undefined) kept.delete(pid);
        else kept.set(pid, known);
        if (known?.markers !== undefined) found.set(pid, { pid, startTicks, ...known.markers });
      }
      return found;
    },
    /** Takes the newest table: it vouches for the processes in it and drops what is kept of the others. */
    take(table: ProcessTable): void {
      latest = table;
      for (const [pid, known] of kept) {
        if (table.byPid.get(pid)?.startTicks !== known.startTicks) kept.delete(pid);
      }
    },
  };
}

interface Kept {
  readonly startTicks: number;
  readonly at: number;
  readonly comm: string;
  /** Absent where the block is not ours to read. */
  readonly markers: Pick<ProcessMarkers, 'tmux' | 'tmuxPane'> | undefined;
  /** False in the middle of an exec, when the block reads as empty; for good only that of kernel threads does. */
  readonly isSettled: boolean;
}

// A child seen between fork and exec shows its parent's block; if the new program bears the same name, only age tells.
const MAX_AGE_MS = 10_000;
const ENVIRON_LIMIT_BYTES = 2 * 1024 * 1024;

function readMarkers(path: string): { readonly markers: Kept['markers']; readonly isEmpty: boolean } {
  const read = readProcFile(path, ENVIRON_LIMIT_BYTES);
  if (read.state !== 'read') return { markers: undefined, isEmpty: false };
  const tmux = valueIn(read.bytes, 'TMUX');
  const tmuxPane = valueIn(read.bytes, 'TMUX_PANE');
  return {
    markers: { ...(tmux === undefined ? {} : { tmux }), ...(tmuxPane === undefined ? {} : { tmuxPane }) },
    isEmpty: read.bytes.length === 0,
  };
}

// The first of two equal names counts, as for getenv. A value that the limit cut off is no value.
function valueIn(block: Buffer, name: string): string | undefined {
  const key = `${name}=`;
  const isFirst = block.toString('latin1', 0, key.length) === key;
  const at = isFirst ? 0 : block.indexOf(`\0${key}`) + 1;
  if (at === 0 && !isFirst) return undefined;
  const start = at + key.length;
  const end = block.indexOf(0, start);
  return end < 0 ? undefined : block.toString('utf8', start, end);
}

type Environment = Readonly<Record<string, string>>;

const LIMIT_BYTES = 2 * 1024 * 1024;

/**
 * Reads the environment that a process was started with, for the few whose files must be found. A block never changes after
 * the exec, so each is read once.
 */
export function createLinuxEnvironment(processes: LinuxProcessTable) {
  const kept = new Map<number, { readonly startTicks: number; readonly env: Environment }>();
  return {
    read({ pid, startTicks }: ProcessMark): Environment | null {
      const known = kept.get(pid);
      if (known?.startTicks === startTicks) return known.env;
      const read = readProcFile(`${processes.folder(pid)}/environ`, LIMIT_BYTES);
      // The next read overwrites these bytes.
      const block = read.state === 'read' ? read.bytes.toString('utf8') : '';
      // Empty in the middle of an exec: not yet its own.
      if (!processes.isStill({ pid, startTicks }) || block === '') return null;
      const env = variablesIn(block);
      kept.set(pid, { startTicks, env });
      return env;
    },
    /** Takes the newest table: what is kept of processes that are gone is dropped. */
    take(table: ProcessTable): void {
      for (const [pid, { startTicks }] of kept) {
        if (table.byPid.get(pid)?.startTicks !== startTicks) kept.delete(pid);
      }
    },
  };
}

// The first of two equal names counts, as for getenv.
function variablesIn(block: string): Environment {
  const env: Record<string, string> = Object.create(null);
  for (const variable of block.split('\0')) {
    const at = variable.indexOf('=');
    const name = variable.slice(0, at);
    if (at > 0 && !(name in env)) env[name] = variable.slice(at + 1);
  }
  return env;
}
