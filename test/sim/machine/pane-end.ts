import type { By } from './journal.ts';
import type { Ending } from './process.ts';
import type { SimPane, WrittenEnd } from './tmux-parts.ts';

/** The hook is a shell script: it takes as long as one. */
const HOOK_MS = 25;

/** What tmux does when the program of a pane has ended: the pane goes, or stays and its hook runs. */
export function paneDied(pane: SimPane, how: Ending): void {
  const { server, process, id } = pane;
  const { machine } = server;
  if (server.isGone || pane.isDead || server.panes.get(id) !== pane) return;
  const [session] = pane.window.sessions;
  const isMissed = server.missesEnd();
  const told = 'status' in how ? { status: how.status, signal: null } : { status: null, signal: how.signal };
  [pane.isDead, pane.ended, pane.modes] = [true, isMissed ? null : told, 0];
  server.show(pane, { printingSinceMs: null });
  if (session !== undefined) {
    const where = { server: server.socketPath, session: session.label, key: session.key, pane: id };
    const status = 'status' in how ? `status ${how.status}` : how.signal;
    machine.journal.note('kernel', { what: 'pane-died', ...where, pid: process.pid, status });
  }
  if (!staysDead(pane, how)) freePane(pane, 'tmux');
  else if (!isMissed) runEndHook(pane, told);
  else missed.set(pane, told);
}

/** Ends that tmux has missed, until something makes it look. */
const missed = new WeakMap<SimPane, NonNullable<SimPane['ended']>>();

/** Makes tmux look which programs have ended. */
export function noticeEnds(panes: Iterable<SimPane>): void {
  for (const pane of panes) {
    const told = missed.get(pane);
    if (told === undefined || !pane.isDead) continue;
    missed.delete(pane);
    pane.ended = told;
    pane.server.changed();
    runEndHook(pane, told);
  }
}

function staysDead({ options, server }: SimPane, how: Ending): boolean {
  const remain = options.get('remain-on-exit') ?? server.remainOnExit;
  return remain === 'on' || (remain === 'failed' && !('status' in how && how.status === 0));
}

function runEndHook(pane: SimPane, { status, signal }: NonNullable<SimPane['ended']>): void {
  const { endHook: hook, process, server } = pane;
  if (hook?.kind === 'nothing') pane.options.delete('@rollcall_ends');
  if (hook?.kind !== 'record') return;
  const { machine } = server;
  const sessions = new Map([...pane.window.sessions].map((one) => [one.id, panesOf(one.windows)]));
  const end: WrittenEnd = {
    ...{ run: hook.run, status, signal, pid: process.pid, sessions },
    ...{ endedAt: machine.clock.seconds * 1000, lines: pane.screen.lines },
  };
  machine.clock.after(HOOK_MS, () => {
    if (machine.isDown) return;
    if (!hook.write(end)) {
      pane.options.delete('@rollcall_ends');
      return;
    }
    const [session] = pane.window.sessions;
    if (session !== undefined) {
      const where = { server: server.socketPath, session: session.label, key: session.key, pane: pane.id };
      machine.journal.note('tmux', { what: 'end-written', ...where, run: hook.run });
    }
    // A pane that somebody has started anew is left alone.
    if (server.isGone || !pane.isDead || pane.process !== process || server.panes.get(pane.id) !== pane)
      return;
    pane.endHook = null;
    if (!hook.isKept) pane.options.delete('remain-on-exit');
    const ending: Ending = status === null ? { signal: 'SIGTERM' } : { status };
    if (hook.isKept || staysDead(pane, ending)) pane.options.delete('@rollcall_ends');
    else freePane(pane, 'tmux');
    server.changed();
  });
}

function panesOf(windows: readonly { readonly panes: readonly unknown[] }[]): number {
  return windows.reduce((sum, { panes }) => sum + panes.length, 0);
}

/** Takes a pane away: its terminal is closed, and with the last pane of a window the window goes. */
export function freePane(pane: SimPane, by: By): void {
  const { server, id, window, process } = pane;
  if (server.panes.get(id) !== pane) return;
  const [session] = window.sessions;
  server.panes.delete(id);
  window.panes.splice(window.panes.indexOf(pane), 1);
  server.changed();
  if (session !== undefined) {
    const where = { server: server.socketPath, session: session.label, key: session.key, pane: id };
    server.machine.journal.note(by, { what: 'pane-removed', ...where, pid: process.pid });
  }
  if (process.ending === null) server.machine.processes.closeTerminal(process, 'kernel');
  const [first] = window.panes;
  if (first === undefined) server.dropWindow(window, 'tmux');
  else if (window.chosen === pane) window.chosen = null;
}
