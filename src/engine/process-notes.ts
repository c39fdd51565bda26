import type { ProcessNote } from '../core/evidence.ts';
import type { Attached } from '../core/pane-processes.ts';
import type { ProcessDetails } from '../core/process.ts';
import type { RememberedProcess } from '../core/recollection.ts';
import type { Naming } from './naming.ts';

/** A process of a pane in both its forms: for the verdict, and for the next look's memory. */
export interface ProcessReading {
  readonly note: ProcessNote;
  readonly remembered: RememberedProcess;
  readonly argv: readonly string[];
  readonly cwd?: string;
}

// Two looks closer than this say nothing about rates: CPU time is counted in ticks of 10 ms.
const MIN_RATE_MS = 100;

/** Describes one process, with its rates since the last look where there was one. */
export function readProcess(
  { process, relation }: Attached,
  details: ProcessDetails | undefined,
  before: RememberedProcess | undefined,
  elapsedMs: number,
  naming: Naming,
): ProcessReading {
  const argv = details?.argv ?? [];
  const program = naming.program(process.comm, argv);
  const cpuMs = process.cpuMs + (process.reapedCpuMs ?? 0);
  const ioBytes = details?.ioBytes ?? before?.ioBytes;
  const isSame = before?.startTicks === process.startTicks && elapsedMs >= MIN_RATE_MS;
  const note: ProcessNote = {
    pid: process.pid,
    startTicks: process.startTicks,
    parentPid: process.ppid,
    program: program.name,
    command: program.command,
    role: program.role,
    ...(program.agentKind !== undefined && { agentKind: program.agentKind }),
    relation,
    startedAt: process.startedAt,
    ...(isSame && { cpuPercent: Math.max(0, ((cpuMs - before.cpuMs) / elapsedMs) * 100) }),
    ...(isSame && rate(ioBytes, before.ioBytes, elapsedMs)),
    memoryBytes: details?.pssBytes ?? process.rssBytes,
  };
  return {
    note,
    remembered: {
      pid: process.pid,
      startTicks: process.startTicks,
      cpuMs,
      ...(ioBytes !== undefined && { ioBytes }),
    },
    argv,
    ...(details?.cwd !== undefined && { cwd: details.cwd }),
  };
}

function rate(now: number | undefined, before: number | undefined, elapsedMs: number) {
  if (now === undefined || before === undefined) return {};
  return { ioBytesPerSecond: Math.max(0, ((now - before) / elapsedMs) * 1000) };
}
