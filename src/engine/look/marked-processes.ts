import { once } from '../../core/once.ts';
import { type MarkPlace, mayBeMarkOf, type PaneMark, paneMarkIn } from '../../core/sight/marks.ts';
import { type ProcessIndex, rootOf } from '../../core/sight/pane-processes.ts';
import { isKernelThread, type Process } from '../../core/sight/process.ts';
import type { PresentServer, ServerSighting } from '../../core/sight/sighting.ts';
import { isTmux } from '../../core/verdict/whose.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';

/** Processes by the pane whose marker they carry; the key is server pid and pane id. */
export type MarkedProcesses = ReadonlyMap<string, readonly Process[]>;

type MarkSensor = Pick<ProcessSensor, 'markers' | 'placesOf'>;

/** The key under which a pane's strangers are found. */
export function markKey(serverPid: number, paneId: string): string {
  return `${serverPid} ${paneId}`;
}

/**
 * Finds children that left their pane's tree (setsid, double fork, nohup) by the TMUX and TMUX_PANE that they were
 * started with. Only processes under no pane are asked; tmux servers carry the marks of the pane they were started from
 * and are not its children.
 */
export function findMarked(
  servers: readonly ServerSighting[],
  index: ProcessIndex,
  sensor: MarkSensor,
): MarkedProcesses {
  const byPid = new Map<number, PresentServer>();
  const inTrees = new Set<number>();
  for (const server of servers) {
    if (server.state !== 'present') continue;
    byPid.set(server.pid, server);
    for (const { panes } of server.sessions) {
      for (const { pid, isDead } of panes) descend(rootOf({ pid, isDead, server }, index), index, inTrees);
    }
  }
  if (byPid.size === 0) return new Map();
  const strangers = [...index.byPid.values()].filter(
    (process) =>
      !inTrees.has(process.pid) &&
      process.pid > 1 &&
      !isKernelThread(process, index.byPid) &&
      !byPid.has(process.pid) &&
      !isTmux(process) &&
      process.state !== 'Z',
  );
  const marked = new Map<string, Process[]>();
  const placeOf = createMarkPlaces(index.byPid, sensor);
  for (const [pid, { tmux, tmuxPane }] of sensor.markers(strangers)) {
    const process = index.byPid.get(pid);
    const mark = paneMarkIn({ TMUX: tmux, TMUX_PANE: tmuxPane });
    const server = mark === null ? undefined : byPid.get(mark.serverPid);
    if (!process || !mark || !server || process.startTicks < server.startTicks) continue;
    if (!mayBeMarkOf(mark, server, placeOf(process, mark))) continue;
    const key = markKey(server.pid, mark.paneId);
    marked.set(key, [...(marked.get(key) ?? []), process]);
  }
  return marked;
}

/** Says where a process with a mark lives, seen from the server that has the number of the mark. Costs nothing until a mark of a server of ours is found. */
export function createMarkPlaces(
  byPid: ReadonlyMap<number, Process>,
  sensor: Pick<ProcessSensor, 'placesOf'>,
): (process: Process, mark: PaneMark) => MarkPlace {
  const servers = once(() => [...sensor.placesOf([...byPid.values()].filter(isTmux)).values()]);
  return (process, { serverPid }) => {
    const server = byPid.get(serverPid);
    const places = sensor.placesOf(server === undefined ? [process] : [process, server]);
    const [place, there] = [places.get(process.pid), places.get(serverPid)];
    // What cannot be read is taken to be here, where its mark counts.
    if (place === undefined || there === undefined || place.pidNamespace === there.pidNamespace)
      return { at: 'here' };
    const isNamesake = servers().some(
      ({ pidNamespace, pidInside }) => pidNamespace === place.pidNamespace && pidInside === serverPid,
    );
    return { at: 'elsewhere', isNamesake };
  };
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
