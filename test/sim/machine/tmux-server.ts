import type { By } from './journal.ts';
import { freePane, paneDied } from './pane-end.ts';
import { listenerIn } from './pane-input.ts';
import type { Ending } from './process.ts';
import { TmuxFace } from './tmux-face.ts';
import { TmuxMaker } from './tmux-maker.ts';
import {
  BLANK,
  type SimClient,
  type SimPane,
  type SimSession,
  type SimWindow,
  sessionOf,
} from './tmux-parts.ts';
import type { Mood, NewSession, PaneProgram } from './tmux-wishes.ts';
import { createTty, shownWords } from './tty.ts';

export { sessionOf } from './tmux-parts.ts';
export type { Mood, NewSession, PaneProgram } from './tmux-wishes.ts';

/** A tmux server: its sessions, windows, panes and clients, and everything that is done to them. */
export class SimTmuxServer extends TmuxFace {
  readonly #make = new TmuxMaker(this);
  #clients = 0;
  readonly #unnoticed: { pane: SimPane; how: Ending }[] = [];
  readonly #requests: (() => void)[] = [];

  newSession(given: NewSession, by: By): SimSession {
    const id = this.#make.sessionId();
    const window = this.#make.window(given, id, by);
    const label = given.label ?? this.machine.nextLabel();
    const session = this.#made({ id, label, name: given.name, windows: [window], group: null }, by);
    this.#begun(session, window.active, by);
    return session;
  }

  /** Another session that shows the same windows (`new-session -t`). */
  newGrouped(of: SimSession, name: string, by: By): SimSession {
    of.group ??= of.name;
    const { windows, group } = of;
    const id = this.#make.sessionId();
    return this.#made({ id, label: this.machine.nextLabel(), name, windows, group }, by);
  }

  newWindow(session: SimSession, program: PaneProgram, by: By): SimPane {
    const window = this.#make.window(program, session.id, by);
    for (const one of this.sessions.values()) {
      if (one !== session && (session.group === null || one.group !== session.group)) continue;
      window.sessions.add(one);
      if (!one.windows.includes(window)) one.windows.push(window);
    }
    this.changed();
    return this.#begun(session, window.active, by);
  }

  split(pane: SimPane, program: PaneProgram, by: By): SimPane {
    const session = sessionOf(pane);
    const added = this.#make.pane(pane.window, program, session.id, by);
    pane.window.panes.push(added);
    this.changed();
    return this.#begun(session, added, by);
  }

  /** Puts another program into a pane; the one that runs there is ended. */
  respawn(pane: SimPane, program: PaneProgram, by: By): void {
    this.machine.journal.before(by, { what: 'respawn', pane });
    const before = pane.process;
    const tty = createTty(this.machine);
    pane.process = this.#make.fork(program, tty, sessionOf(pane).id, pane.id, by);
    [pane.tty, pane.isDead, pane.ended, pane.modes] = [tty, false, null, 0];
    [pane.startCommand, pane.startPath] = [program.startCommand ?? shownWords(program.argv), program.cwd];
    this.show(pane, { ...BLANK, history: pane.screen.history });
    if (before.ending === null) this.machine.processes.closeTerminal(before, 'tmux');
    this.changed();
    this.notePane(by, sessionOf(pane), pane);
    this.machine.begin(pane.process, pane);
  }

  rename(session: SimSession, name: string, by: By): void {
    session.name = name;
    this.changed();
    this.note(by, session, { what: 'session-renamed', name });
  }

  /** Removes the session; windows that no other session shows go with it, and what runs there is hung up. */
  killSession(session: SimSession, by: By): void {
    this.machine.journal.before(by, { what: 'kill-session', session });
    this.#drop(session, 'killed', by);
    for (const window of [...session.windows]) {
      window.sessions.delete(session);
      if (window.sessions.size === 0) for (const pane of [...window.panes]) freePane(pane, by);
    }
    this.#endIfEmpty();
  }

  killPane(pane: SimPane, by: By): void {
    this.machine.journal.before(by, { what: 'kill-pane', pane });
    freePane(pane, by);
  }

  /** Called by whoever has taken the last pane of a window away. */
  dropWindow(window: SimWindow, by: By): void {
    for (const session of window.sessions) {
      if (session.windows.includes(window)) session.windows.splice(session.windows.indexOf(window), 1);
      const [first] = session.windows;
      if (first === undefined) this.#drop(session, 'empty', by);
      else if (session.current === window) session.current = first;
    }
    window.sessions.clear();
    this.#endIfEmpty();
  }

  /** Moves a pane into a window of another session (`join-pane`). */
  movePane(pane: SimPane, to: SimWindow, by: By): void {
    const from = pane.window;
    from.panes.splice(from.panes.indexOf(pane), 1);
    to.panes.push(pane);
    pane.window = to;
    if (from.chosen === pane) from.chosen = null;
    if (from.panes.length === 0) this.dropWindow(from, by);
    this.changed();
    this.notePane(by, sessionOf(pane), pane);
  }

  attach(session: SimSession, by: By, isControl = false): SimClient {
    const { clock, processes } = this.machine;
    const argv = ['tmux', ...(isControl ? ['-C'] : []), 'attach', '-t', session.name];
    const tty = createTty(this.machine);
    const process = processes.spawn(
      { argv, comm: 'tmux: client', cwd: '/', ppid: 1, session: 'own', tty },
      by,
    );
    const client = { id: `c${this.#clients}`, session, process, isControl, lastInputAt: clock.at };
    this.#clients += 1;
    this.clients.set(client.id, client);
    session.lastAttachedAtSeconds = clock.seconds;
    this.changed();
    this.note(by, session, { what: 'attached', client: client.id });
    const { onAttach } = session;
    session.onAttach = null;
    if (onAttach !== null && onAttach.pane.process.pid === onAttach.pid)
      this.press(onAttach.pane, 'Enter', 'tmux');
    return client;
  }

  detach(client: SimClient, by: By): void {
    if (!this.clients.delete(client.id)) return;
    const { session, process } = client;
    session.lastDetachedMs = this.machine.clock.ms;
    this.changed();
    this.note(by, session, { what: 'detached', client: client.id });
    this.machine.processes.end(process, { status: 0 }, by);
  }

  /** A person touches a key in an attached client: it need not reach a program. */
  input(client: SimClient, by: By = 'person'): void {
    const { clock } = this.machine;
    client.lastInputAt = clock.at;
    client.session.lastInputMs = clock.ms;
    this.changed();
    this.note(by, client.session, { what: 'client-input', client: client.id });
  }

  setMode(pane: SimPane, isOn: boolean, by: By): void {
    pane.modes = isOn ? pane.modes + 1 : 0;
    this.changed();
    this.inPane(by, pane, { what: 'pane-mode', isOn });
  }

  /** Text that arrives at the pane: its mode swallows it, a dead one has nobody to read it, and of one that went nobody knows. */
  type(pane: SimPane, text: string, by: By): void {
    if (pane.window.sessions.size === 0) return;
    this.machine.journal.before(by, { what: 'type', pane, text });
    this.inPane(by, pane, { what: 'typed', text });
    listenerIn(pane)?.typed?.(text, by);
  }

  press(pane: SimPane, key: 'Enter' | 'BSpace', by: By): void {
    if (pane.window.sessions.size === 0) return;
    this.machine.journal.before(by, { what: 'press', pane, key });
    this.inPane(by, pane, { what: 'pressed', button: key });
    listenerIn(pane)?.pressed?.(key, by);
  }

  setMood(mood: Mood, by: By): void {
    if (this.isGone || mood === this.mood) return;
    const { processes } = this.machine;
    if (mood === 'stopped') processes.signal(this.process, 'SIGSTOP', by);
    if (this.mood === 'stopped') processes.signal(this.process, 'SIGCONT', by);
    this.mood = mood;
    this.machine.journal.note(by, { what: 'server-mood', server: this.socketPath, mood });
    if (mood !== 'well') processes.negligent.add(this.pid);
    else {
      processes.reapFor(this.pid);
      for (const { pane, how } of this.#unnoticed.splice(0)) this.paneEnded(pane, how);
      for (const request of this.#requests.splice(0)) if (!this.isGone) request();
    }
  }

  /** What somebody asked for while it answers nobody: it comes to that when it is well again. */
  queue(request: () => void): void {
    this.#requests.push(request);
  }

  /** The program of a pane has ended. */
  paneEnded(pane: SimPane, how: Ending): void {
    if (this.mood === 'well') paneDied(pane, how);
    else this.#unnoticed.push({ pane, how });
  }

  /** It dies, and everything in it is hung up. */
  crash(by: By, why: 'crash' | 'power' = 'crash'): void {
    this.#gone(by, why);
    for (const pane of this.panes.values()) {
      if (pane.process.ending === null) this.machine.processes.closeTerminal(pane.process, 'kernel');
    }
  }

  #made(given: Parameters<TmuxMaker['session']>[0], by: By): SimSession {
    const session = this.#make.session(given);
    this.sessions.set(session.id, session);
    this.changed();
    this.note(by, session, { what: 'session-started', name: session.name });
    return session;
  }

  #begun(session: SimSession, pane: SimPane, by: By): SimPane {
    this.panes.set(pane.id, pane);
    this.notePane(by, session, pane);
    this.machine.begin(pane.process, pane);
    return pane;
  }

  #drop(session: SimSession, why: 'killed' | 'empty' | 'server', by: By): void {
    if (session.isGone) return;
    session.isGone = true;
    this.sessions.delete(session.id);
    for (const client of [...this.clients.values()])
      if (client.session === session) this.detach(client, 'tmux');
    this.changed();
    this.note(by, session, { what: 'session-removed', why });
  }

  #endIfEmpty(): void {
    if (this.sessions.size === 0 && !this.isGone) this.#gone('tmux', 'empty');
  }

  #gone(by: By, why: 'crash' | 'empty' | 'power'): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const session of [...this.sessions.values()]) this.#drop(session, 'server', by);
    this.machine.servers.delete(this.socketPath);
    this.machine.journal.note(by, { what: 'server-ended', server: this.socketPath, pid: this.pid, why });
    this.machine.processes.reapFor(this.pid);
    this.machine.processes.end(this.process, why === 'empty' ? { status: 0 } : { signal: 'SIGKILL' }, by);
  }
}
