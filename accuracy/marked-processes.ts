import { readdirSync, readFileSync } from 'node:fs';
import { wait } from './until.ts';

/** Stands in the environment of everything that a run starts, daemons included. */
export const MARK = 'ROLLCALL_ACCURACY_RUN';

export interface MarkedProcess {
  readonly pid: number;
  readonly startTicks: string;
}

/** The processes that carry the run's mark, each with its start time so that a reused pid is never taken for it. */
export function markedProcesses(nonce: string): MarkedProcess[] {
  const mark = Buffer.from(`${MARK}=${nonce}`);
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${name}/environ`).includes(mark)) return [];
    } catch {
      return [];
    }
    const startTicks = startTicksOf(pid);
    return startTicks === null ? [] : [{ pid, startTicks }];
  });
}

/** Ends them all: asks first, insists after two seconds. */
export async function endMarkedProcesses(nonce: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGKILL'] as const) {
    const left = markedProcesses(nonce);
    if (left.length === 0) return;
    for (const one of left) send(one, signal);
    for (let turn = 0; turn < 20 && markedProcesses(nonce).length > 0; turn += 1) await wait(100);
  }
}

/** The processes below a pane's shell that share its terminal session, parents first: no daemon, no tool. */
export function terminalProcessesBelow(shell: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!(pid > 0)) continue;
    const parent = Number(fieldsOf(pid)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(shell).filter((pid) => Number(fieldsOf(pid)?.[3]) === shell);
}

export function isRunning(pid: number): boolean {
  const state = fieldsOf(pid)?.[0];
  return state !== undefined && state !== 'Z';
}

/** By what a process is known again; null when it is gone. */
export function identityOf(pid: number): MarkedProcess | null {
  const startTicks = startTicksOf(pid);
  return startTicks === null ? null : { pid, startTicks };
}

/** Whether it runs and is still the process that it was. */
export function isSameRunning({ pid, startTicks }: MarkedProcess): boolean {
  return startTicksOf(pid) === startTicks && isRunning(pid);
}

/** The words that it was started with; empty when it is gone. */
export function wordsOf(pid: number): readonly string[] {
  return listIn(pid, 'cmdline');
}

/** One variable of the environment that it was started with. */
export function variableOf(pid: number, name: string): string | null {
  const found = listIn(pid, 'environ').find((line) => line.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

export function send({ pid, startTicks }: MarkedProcess, signal: NodeJS.Signals): void {
  if (startTicksOf(pid) !== startTicks) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between.
  }
}

function listIn(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

function startTicksOf(pid: number): string | null {
  return fieldsOf(pid)?.[19] ?? null;
}

// From the state on; the name before it may hold anything.
function fieldsOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
