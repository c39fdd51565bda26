import type { RememberedProcess } from '../../core/memory/recollection.ts';
import { helperKind } from '../../core/sight/helper-kind.ts';
import type { Attached } from '../../core/sight/pane-processes.ts';
import type { ProcessDetails, UnseenFolder } from '../../core/sight/process.ts';
import type { ProcessNote } from '../../core/verdict/evidence.ts';
import type { Naming } from './naming.ts';

/** A process of a pane in both its forms: for the verdict, and for the next look's memory. */
export interface ProcessReading {
  readonly note: ProcessNote;
  readonly remembered: RememberedProcess;
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly unseen?: UnseenFolder;
  /** Works for several panes. */
  readonly isShared: boolean;
}

// Two looks closer than this say nothing about rates: CPU time is counted in ticks of 10 ms.
const MIN_RATE_MS = 100;

/** Describes one process, with its rates since the last look where there was one. */
export function readProcess(
  { process, relation }: Pick<Attached, 'process' | 'relation'>,
  details: ProcessDetails | undefined,
  before: RememberedProcess | undefined,
  elapsedMs: number,
  naming: Naming,
  isPiped: boolean,
): ProcessReading {
  const argv = details?.argv ?? [];
  const program = naming.program(process.comm, argv);
  const cpuMs = process.cpuMs + (process.reapedCpuMs ?? 0);
  const ioBytes = details?.ioBytes ?? before?.ioBytes;
  const isSame = before?.startTicks === process.startTicks && elapsedMs >= MIN_RATE_MS;
  const note: Writable<ProcessNote> = {
    pid: process.pid,
    startTicks: process.startTicks,
    parentPid: process.ppid,
    program: program.name,
    command: program.command,
    role: program.role,
    relation,
    startedAt: process.startedAt,
    memoryBytes: details?.pssBytes ?? process.rssBytes,
  };
  if (program.agentKind !== undefined) note.agentKind = program.agentKind;
  const helper = program.helper === null ? null : helperKind(argv, isPiped);
  if (helper !== null) note.helper = helper;
  if (isSame) {
    note.cpuPercent = Math.max(0, ((cpuMs - before.cpuMs) / elapsedMs) * 100);
    if (ioBytes !== undefined && before.ioBytes !== undefined) {
      note.ioBytesPerSecond = Math.max(0, ((ioBytes - before.ioBytes) / elapsedMs) * 1000);
    }
  }
  const { cwd, unseen } = details ?? {};
  const remembered = rememberedAs(process, cpuMs, ioBytes, before);
  const reading = { note, remembered, argv, isShared: program.isShared };
  if (unseen !== undefined) return { ...reading, unseen };
  return cwd === undefined ? reading : { ...reading, cwd };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

// What has not changed since the last look stays the same object: a thousand quiet panes leave no garbage.
function rememberedAs(
  { pid, startTicks }: Attached['process'],
  cpuMs: number,
  ioBytes: number | undefined,
  before: RememberedProcess | undefined,
): RememberedProcess {
  const isUnchanged =
    before?.startTicks === startTicks && before.cpuMs === cpuMs && before.ioBytes === ioBytes;
  if (isUnchanged) return before;
  return ioBytes === undefined ? { pid, startTicks, cpuMs } : { pid, startTicks, cpuMs, ioBytes };
}
