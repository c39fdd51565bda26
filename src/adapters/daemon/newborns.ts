import { statFields, textAt } from '../files/look.ts';

export type Newborns = ReturnType<typeof createNewborns>;

/**
 * New panes, without asking tmux. Jobs of status lines and hooks come and go below a server, too: only a child counts that is
 * seen at two beats and is a pane's program, once. Servers that sleep start nothing, and are not asked.
 */
export function createNewborns({
  children = childrenOf,
  isProgram = leadsTerminal,
}: {
  readonly children?: (pid: number) => readonly number[];
  readonly isProgram?: (pid: number) => boolean;
} = {}) {
  let known: ReadonlySet<number> = new Set();
  // Of each server the children that are not on the roll, and whether each was judged.
  const strangers = new Map<number, ReadonlyMap<number, boolean>>();
  const isBornTo = (server: number): boolean => {
    const before = strangers.get(server);
    const unknown = children(server).filter((pid) => pid > 0 && !known.has(pid));
    strangers.set(server, new Map(unknown.map((pid) => [pid, before?.has(pid) === true])));
    // Asked once for each: its line is read only when it has stayed.
    return unknown.filter((pid) => before?.get(pid) === false).some(isProgram);
  };
  /** The servers of which one was seen for the first time at the last beat. */
  const unsure = () =>
    [...strangers].flatMap(([server, seen]) => ([...seen.values()].includes(false) ? [server] : []));
  return {
    /** Whether one lives, below these servers that are awake, that is not on the roll and was not told of before. */
    feel(awake: readonly number[]): boolean {
      const servers = [...new Set([...awake, ...unsure()])];
      return servers.filter(isBornTo).length > 0;
    },
    isUnsure: (): boolean => unsure().length > 0,
    follow(servers: readonly number[], onRoll: ReadonlySet<number>): void {
      known = onRoll;
      for (const server of strangers.keys()) if (!servers.includes(server)) strangers.delete(server);
    },
  };
}

/** The children of a process, as the kernel lists them; none where it does not. */
export function childrenOf(pid: number): number[] {
  const listed = textAt(`/proc/${pid}/task/${pid}/children`, 'latin1') ?? '';
  return listed.split(' ').flatMap((child) => Number(child) || []);
}

/** Whether a process leads a session with a terminal, as the program of every pane does, and no job of tmux. */
export function leadsTerminal(pid: number): boolean {
  const fields = statFields(`/proc/${pid}/stat`);
  return fields !== null && Number(fields[3]) === pid && Number(fields[4]) !== 0;
}
