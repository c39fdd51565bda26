import { isProcessSeen } from '../sight/identity.ts';
import type { Process, ProcessTable } from '../sight/process.ts';
import type { PaneSighting, PresentServer, ServerSighting } from '../sight/sighting.ts';

/**
 * tmux calls a pane dead as soon as nobody has its terminal open. That is not the end of its process: a program that let go
 * of the terminal and ignores SIGHUP works on. It has ended where tmux tells its status or signal, or where the kernel
 * shows that no child of this very server has the pane's number any more. All other panes stay alive, without a terminal.
 */
export function withProvenEnds<S extends ServerSighting>(server: S, table: ProcessTable): S;
export function withProvenEnds(server: ServerSighting, table: ProcessTable): ServerSighting {
  if (server.state !== 'present') return server;
  const mayLive = (pane: PaneSighting): boolean =>
    pane.isDead && !isEndTold(pane) && mayRun(pane, server, table);
  if (!server.sessions.some(({ panes }) => panes.some(mayLive))) return server;
  const sessions = server.sessions.map((session) => ({
    ...session,
    panes: session.panes.map((pane) => (mayLive(pane) ? withoutTerminal(pane) : pane)),
  }));
  return { ...server, sessions };
}

/** Whether tmux has seen how the program of a pane ended. Builds with utempter (up to 3.5) miss some ends. */
export function isEndTold({ exitStatus, exitSignal }: PaneSighting): boolean {
  return exitStatus !== undefined || exitSignal !== undefined;
}

/** Whether a process still does something: a zombie only waits for its parent to ask. */
export function isLiving({ state }: Pick<Process, 'state'>): boolean {
  return state !== 'Z' && state !== 'X' && state !== 'x';
}

// A process that has the number by now and is not the server's own child is a stranger. Where the server itself is not in the
// table (another pid namespace), its children are not either, and where processes are hidden, this one may be.
function mayRun({ pid }: PaneSighting, server: PresentServer, { byPid, isComplete }: ProcessTable): boolean {
  if (!isProcessSeen(server) || byPid.get(server.pid)?.startTicks !== server.startTicks) return true;
  const process = byPid.get(pid);
  if (process === undefined) return !isComplete;
  return process.ppid === server.pid && process.startTicks >= server.startTicks && isLiving(process);
}

// The terminal's name may be another's by now.
function withoutTerminal({ tty: _, ...pane }: PaneSighting): PaneSighting {
  return { ...pane, isDead: false, hasNoTerminal: true };
}
