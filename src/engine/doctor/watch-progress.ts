import type { ProcessProgress } from '../../core/doctor/process-scene.ts';
import type { ThreadRest } from '../../core/doctor/rest.ts';
import { processKey } from '../../core/sight/identity.ts';
import type { Process, ProcessTable } from '../../core/sight/process.ts';
import type { ProcessSensor, ProcessTies } from '../../ports/sensor.ts';

/** Reads what processes did since they were first read, and reads twice where that was just now. */
export type WatchProgress = (processes: readonly Process[]) => Promise<ReadonlyMap<string, ProcessProgress>>;

/** Two readings closer than this say nothing about rest, ms. */
const APART_MS = 1000;

interface Reading {
  readonly at: number;
  readonly cpuMs: number;
  readonly ioBytes: number | null;
  readonly rest: ThreadRest | null;
}

/** Makes the watch. What it read first is kept for as long as the doctor looks: a longer time says more. */
export function createWatch(parts: {
  readonly processes: Pick<ProcessSensor, 'details'> & { sense(): ProcessTable };
  readonly ties: Pick<ProcessTies, 'restOf'>;
  /** Awake time. */
  now(): number;
  wait(ms: number): Promise<void>;
}): WatchProgress {
  const first = new Map<string, Reading>();
  const read = (processes: readonly Process[]): Map<string, Reading> => {
    const at = parts.now();
    const { byPid } = parts.processes.sense();
    const living = processes.flatMap(({ pid, startTicks }) => {
      const now = byPid.get(pid);
      return now?.startTicks === startTicks ? [now] : [];
    });
    const details = parts.processes.details(living, { io: true, memory: false, cwd: false });
    const rests = parts.ties.restOf(living);
    return new Map(
      living.map((process) => [
        processKey(process),
        {
          at,
          cpuMs: process.cpuMs + (process.reapedCpuMs ?? 0),
          ioBytes: details.get(process.pid)?.ioBytes ?? null,
          rest: rests.get(process.pid) ?? null,
        },
      ]),
    );
  };
  return async (processes) => {
    let now = read(processes);
    for (const [key, reading] of now) if (!first.has(key)) first.set(key, reading);
    const youngest = Math.max(...[...now.keys()].map((key) => first.get(key)?.at ?? 0));
    const missing = youngest + APART_MS - parts.now();
    if (now.size > 0 && missing > 0) {
      await parts.wait(missing);
      now = read(processes);
    }
    return new Map([...now].map(([key, reading]) => [key, since(first.get(key) as Reading, reading)]));
  };
}

function since(before: Reading, now: Reading): ProcessProgress {
  const isKnown = before.ioBytes !== null && now.ioBytes !== null;
  return {
    elapsedMs: now.at - before.at,
    cpuMs: now.cpuMs - before.cpuMs,
    ioBytes: isKnown ? (now.ioBytes as number) - (before.ioBytes as number) : null,
    rests: [before.rest, now.rest],
  };
}
