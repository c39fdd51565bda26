import type { ProcessMark } from '../sight/identity.ts';
import type { ProcessTable } from '../sight/process.ts';
import type { LockHolder } from './holder.ts';

/** Whether a process that was written down still lives; `unknown` where processes are hidden, or seen by other numbers. */
export type Life = 'alive' | 'gone' | 'unknown';

/** Where and when the question is asked. */
export interface LockView {
  readonly bootId: string;
  readonly pidNamespace?: string;
  readonly table: ProcessTable;
}

/** Whether the process that wrote itself down, or the runner it started, still lives. */
export function holderLife(holder: LockHolder, here: LockView): Life {
  // Another boot, or another host that shares the folder: its pids say nothing here.
  if (holder.bootId !== here.bootId) return 'gone';
  // A container that shares the folder: it may well live.
  if (holder.pidNamespace !== here.pidNamespace) return 'unknown';
  const lives = [holder, ...(holder.runner === null ? [] : [holder.runner])].map((mark) =>
    markLife(mark, here.table),
  );
  return lives.find((life) => life === 'alive') ?? lives.find((life) => life === 'unknown') ?? 'gone';
}

/** Looked up in the process table, never by sending a signal: another user's process answers that with a refusal. */
export function markLife({ pid, startTicks }: ProcessMark, table: ProcessTable): Life {
  const process = table.byPid.get(pid);
  if (process === undefined) return table.isComplete ? 'gone' : 'unknown';
  // A zombie has let go of everything it held.
  return process.startTicks === startTicks && process.state !== 'Z' ? 'alive' : 'gone';
}
