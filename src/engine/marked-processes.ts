import { type ProcessIndex, rootOf } from '../core/pane-processes.ts';
import type { Process } from '../core/process.ts';
import type { ServerSighting } from '../core/sighting.ts';
import { isTmux } from '../core/whose.ts';
import type { ProcessSensor } from '../ports/sensor.ts';

/** Processes by the pane whose marker they carry; the key is server pid and pane id. */
export type MarkedProcesses = ReadonlyMap<string, readonly Process[]>;

/** The key under which a pane's strangers are found. */
export function markKey(serverPid: number, paneId: string): string {
  return `${serverPid} ${paneId}`;
}

const KERNEL_THREADS = 2;

/**
 * Finds children that left their pane's tree (setsid, double fork, nohup) by the TMUX and TMUX_PANE that they were
 * started with. Only processes under no pane are asked; tmux servers carry the marks of the pane they were started from
 * and are not its children.
 */
export function findMarked(
  servers: readonly ServerSighting[],
  index: ProcessIndex,
  sensor: ProcessSensor,
): MarkedProcesses {
  const startTicks = new Map<number, number>();
  const inTrees = new Set<number>();
  for (const server of servers) {
    if (server.state !== 'present') continue;
    startTicks.set(server.pid, server.startTicks);
    for (const { panes } of server.sessions) {
      for (const { pid, isDead } of panes) descend(rootOf({ pid, isDead, server }, index), index, inTrees);
    }
  }
  if (startTicks.size === 0) return new Map();
  const strangers = [...index.byPid.values()].filter(
    (process) =>
      !inTrees.has(process.pid) &&
      process.ppid !== KERNEL_THREADS &&
      process.pid > KERNEL_THREADS &&
      !startTicks.has(process.pid) &&
      !isTmux(process) &&
      process.state !== 'Z',
  );
  const marked = new Map<string, Process[]>();
  for (const [pid, marks] of sensor.markers(strangers)) {
    const process = index.byPid.get(pid);
    const serverPid = Number(marks.tmux?.split(',').at(-2));
    const serverStart = startTicks.get(serverPid);
    if (!process || marks.tmuxPane === undefined || serverStart === undefined) continue;
    if (process.startTicks < serverStart) continue;
    const key = markKey(serverPid, marks.tmuxPane);
    marked.set(key, [...(marked.get(key) ?? []), process]);
  }
  return marked;
}

// Without recursion: a chain of forks may be longer than the stack.
function descend(root: Process | undefined, index: ProcessIndex, into: Set<number>): void {
  const open = root === undefined ? [] : [root.pid];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (into.has(pid)) continue;
    into.add(pid);
    for (const child of index.byParent.get(pid) ?? []) open.push(child.pid);
  }
}
