import { grouped } from '../grouped.ts';
import type { ProcessRelation } from '../verdict/evidence.ts';
import { isProcessSeen, type ProcessMark } from './identity.ts';
import type { Process } from './process.ts';

/** The process table, indexed once per tick for walking down instead of up. */
export interface ProcessIndex {
  readonly byPid: ReadonlyMap<number, Process>;
  readonly byParent: ReadonlyMap<number, readonly Process[]>;
  readonly bySession: ReadonlyMap<number, readonly Process[]>;
}

/** A pane as far as it takes to find its processes. */
export interface PanePlace {
  /** 0 for a pane that was made without a program (`split-window -I`). */
  readonly pid: number;
  readonly isDead: boolean;
  readonly server: ProcessMark;
}

/** A process, how it is attached to its pane, and what ties it to that pane. */
export interface Attached {
  readonly process: Process;
  readonly relation: ProcessRelation;
  readonly by: 'tree' | 'session' | 'mark';
}

export function indexProcesses(byPid: ReadonlyMap<number, Process>): ProcessIndex {
  const byParent = grouped(byPid.values(), ({ ppid }) => ppid);
  return { byPid, byParent, bySession: grouped(byPid.values(), ({ sid }) => sid) };
}

/**
 * All live processes that something ties to a pane: its tree, what shares its terminal session after re-parenting, and the
 * strangers that carry its marker. Zombies are left out: they do nothing and hold nothing. Whether one of them is the
 * pane's to end is for `whose` to say.
 */
export function paneProcesses(pane: PanePlace, index: ProcessIndex, marked: readonly Process[]): Attached[] {
  const root = rootOf(pane, index);
  const found = new Map<number, Attached>();
  if (root) {
    const inFront = new Set<number>();
    visit(root, index, found, (process) => {
      const isInFront = process.pgid === root.tpgid || inFront.has(process.ppid);
      if (process !== root && isInFront) inFront.add(process.pid);
      found.set(process.pid, { process, relation: relationOf(process, root, inFront), by: 'tree' });
    });
  }
  const take = (by: 'session' | 'mark') => (process: Process) => {
    found.set(process.pid, { process, relation: 'outside', by });
  };
  // A mark says more than the number of a session.
  for (const stranger of marked) visit(stranger, index, found, take('mark'));
  for (const stranger of sessionOf(pane, index)) visit(stranger, index, found, take('session'));
  return [...found.values()].filter((attached) => attached.process.state !== 'Z');
}

/**
 * The process that tmux started in a pane. It is the server's own child for as long as it lives: whatever else has its
 * number, in a pane that is dead or of a server in another namespace, is a stranger.
 */
export function rootOf({ pid, isDead, server }: PanePlace, { byPid }: ProcessIndex): Process | undefined {
  // Of a server that is not seen here, no number means anything.
  const root = isDead || pid <= 1 || !isProcessSeen(server) ? undefined : byPid.get(pid);
  return root?.ppid === server.pid && root.startTicks >= server.startTicks ? root : undefined;
}

// The kernel gives a number to nobody else while a session bears it: if another process has it, the session is that one's.
function sessionOf(pane: PanePlace, index: ProcessIndex): readonly Process[] {
  if (pane.pid <= 1 || !isProcessSeen(pane.server)) return [];
  const leader = index.byPid.get(pane.pid);
  const isOwn =
    leader === undefined || (leader.ppid === pane.server.pid && (!pane.isDead || leader.state === 'Z'));
  if (!isOwn) return [];
  return (index.bySession.get(pane.pid) ?? []).filter(({ pid }) => pid !== pane.pid);
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
