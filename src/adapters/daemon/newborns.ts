import { readFileSync } from 'node:fs';

/** The children of a process, as the kernel lists them; none where it does not. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number);
  } catch {
    return [];
  }
}

/** Tells of programs that tmux servers started since the last round. */
export interface Newborns {
  /** Whether one lives that is not on the roll and was not told of before. */
  feel(): boolean;
  follow(servers: readonly number[], known: ReadonlySet<number>): void;
}

/**
 * New panes, without asking tmux. Servers run jobs for their status lines too, which come and go: only a child that is
 * there at two beats counts, and once.
 */
export function createNewborns(children: (pid: number) => readonly number[] = childrenOf): Newborns {
  let servers: readonly number[] = [];
  let known: ReadonlySet<number> = new Set();
  let before = new Set<number>();
  const told = new Set<number>();
  return {
    feel() {
      const strangers = servers.flatMap(children).filter((pid) => pid > 0 && !known.has(pid));
      const stayed = strangers.filter((pid) => before.has(pid) && !told.has(pid));
      for (const pid of stayed) told.add(pid);
      before = new Set(strangers);
      for (const pid of told) if (!before.has(pid)) told.delete(pid);
      return stayed.length > 0;
    },
    follow(listed, onRoll) {
      servers = listed;
      known = onRoll;
    },
  };
}
