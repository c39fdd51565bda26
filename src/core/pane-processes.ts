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
  if (root) {
    const inFront = new Set<number>();
    visit(root, index, found, (process) => {
      const isInFront = process.pgid === root.tpgid || inFront.has(process.ppid);
      if (process !== root && isInFront) inFront.add(process.pid);
      found.set(process.pid, { process, relation: relationOf(process, root, inFront) });
    });
  }
  const inSession = (index.bySession.get(pane.pid) ?? []).filter(
    (process) => process.pid !== pane.pid && !found.has(process.pid),
  );
  for (const stranger of [...inSession, ...marked]) {
    visit(stranger, index, found, (process) => {
      found.set(process.pid, { process, relation: 'outside' });
    });
  }
  return [...found.values()].filter((attached) => attached.process.state !== 'Z');
}

function relationOf(process: Process, root: Process, inFront: ReadonlySet<number>): ProcessRelation {
  if (process === root) return 'root';
  if (process.state === 'T' || process.state === 't') return 'stopped';
  return inFront.has(process.pid) ? 'foreground' : 'background';
}

// Parents before children, without what is found already. A loop, because a chain of forks can be deeper than the stack.
function visit(
  top: Process,
  index: ProcessIndex,
  found: ReadonlyMap<number, Attached>,
  take: (process: Process) => void,
): void {
  const open = [top];
  for (let process = open.pop(); process; process = open.pop()) {
    if (found.has(process.pid)) continue;
    take(process);
    const children = index.byParent.get(process.pid);
    if (children) for (let at = children.length - 1; at >= 0; at -= 1) open.push(children[at] as Process);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
