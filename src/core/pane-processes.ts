import type { ProcessRelation } from './evidence.ts';
import type { Process } from './process.ts';

/** The process table, indexed once per tick for walking down instead of up. */
export interface ProcessIndex {
  readonly byPid: ReadonlyMap<number, Process>;
  readonly byParent: ReadonlyMap<number, readonly Process[]>;
  readonly bySession: ReadonlyMap<number, readonly Process[]>;
}

/** A process and how it hangs on its pane. */
export interface Attached {
  readonly process: Process;
  readonly relation: ProcessRelation;
}

/** Builds the index in one pass. */
export function indexProcesses(byPid: ReadonlyMap<number, Process>): ProcessIndex {
  const byParent = new Map<number, Process[]>();
  const bySession = new Map<number, Process[]>();
  for (const process of byPid.values()) {
    push(byParent, process.ppid, process);
    push(bySession, process.sid, process);
  }
  return { byPid, byParent, bySession };
}

/**
 * All live processes of a pane: its tree, what shares its terminal session after re-parenting, and the strangers that
 * carry its marker. Zombies are left out: they do nothing and hold nothing. The pid of a dead pane may be someone
 * else's by now, so only what it left behind is looked for then.
 */
export function paneProcesses(
  pane: { readonly pid: number; readonly isDead: boolean },
  index: ProcessIndex,
  marked: readonly Process[],
): Attached[] {
  const root = pane.isDead ? undefined : index.byPid.get(pane.pid);
  const found = new Map<number, Attached>();
  const add = (process: Process, relation: ProcessRelation): boolean => {
    if (found.has(process.pid)) return false;
    found.set(process.pid, { process, relation });
    return true;
  };
  const walk = (process: Process, isUnderForeground: boolean): void => {
    const isForeground = isUnderForeground || (process !== root && process.pgid === root?.tpgid);
    if (!add(process, relationOf(process, pane.pid, isForeground))) return;
    for (const child of index.byParent.get(process.pid) ?? []) walk(child, isForeground);
  };
  if (root) walk(root, false);
  const inSession = (index.bySession.get(pane.pid) ?? []).filter((process) => process.pid !== pane.pid);
  for (const stranger of [...inSession, ...marked]) addOutside(stranger, index, add);
  return [...found.values()].filter((attached) => attached.process.state !== 'Z');
}

function relationOf(process: Process, rootPid: number, isForeground: boolean): ProcessRelation {
  if (process.pid === rootPid) return 'root';
  if (process.state === 'T' || process.state === 't') return 'stopped';
  return isForeground ? 'foreground' : 'background';
}

function addOutside(
  process: Process,
  index: ProcessIndex,
  add: (process: Process, relation: ProcessRelation) => boolean,
): void {
  if (!add(process, 'outside')) return;
  for (const child of index.byParent.get(process.pid) ?? []) addOutside(child, index, add);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
