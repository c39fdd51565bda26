import { sessionKey } from '../../../src/core/sight/identity.ts';
import type { By } from './journal.ts';
import type { SimProcess, SimTty } from './process.ts';
import { BLANK, type SimPane, type SimSession, SimWindow } from './tmux-parts.ts';
import type { SimTmuxServer } from './tmux-server.ts';
import type { PaneProgram } from './tmux-wishes.ts';
import { createTty, shownWords } from './tty.ts';

/** Makes sessions, windows and panes for a server, and counts them: no id is given twice in its life. */
export class TmuxMaker {
  readonly #server: SimTmuxServer;
  #windows = 0;
  #sessions = 0;
  #panes = 0;

  constructor(server: SimTmuxServer) {
    this.#server = server;
  }

  sessionId(): string {
    this.#sessions += 1;
    return `$${this.#sessions - 1}`;
  }

  session(given: Pick<SimSession, 'id' | 'label' | 'name' | 'windows' | 'group'>): SimSession {
    const { machine, socketPath, process } = this.#server;
    const [current] = given.windows;
    if (current === undefined) throw new Error('a session has a window');
    const { pid, startTicks } = process;
    const createdAtSeconds = machine.clock.seconds;
    const identity = { server: { socketPath, pid, startTicks }, sessionId: given.id, createdAtSeconds };
    const session: SimSession = {
      ...given,
      ...{ server: this.#server, createdAtSeconds, current },
      key: sessionKey(machine.host.identity(), identity),
      ...{ lastAttachedAtSeconds: 0, lastDetachedMs: null, lastInputMs: null },
      ...{ options: new Map(), onAttach: null, isGone: false },
    };
    for (const window of session.windows) window.sessions.add(session);
    return session;
  }

  window(program: PaneProgram, sessionId: string, by: By): SimWindow {
    const id = `@${this.#windows}`;
    this.#windows += 1;
    const name = program.argv[0]?.split('/').at(-1) ?? 'window';
    const window = new SimWindow(id, name, this.#server.machine.clock.seconds);
    window.panes.push(this.pane(window, program, sessionId, by));
    return window;
  }

  pane(window: SimWindow, program: PaneProgram, sessionId: string, by: By): SimPane {
    const { machine } = this.#server;
    const id = `%${this.#panes}`;
    this.#panes += 1;
    const tty = createTty(machine);
    return {
      ...{ id, server: this.#server, window, tty, process: this.fork(program, tty, sessionId, id, by) },
      ...{ isDead: false, ended: null, modes: 0, isSynchronized: false, isInputOff: false, isPiped: false },
      ...{ title: machine.host.name, startPath: program.cwd, options: new Map(), endHook: null },
      startCommand: program.startCommand ?? shownWords(program.argv),
      screen: BLANK,
    };
  }

  /** Starts the program of a pane, with the marks that tmux gives it. */
  fork(
    { argv, cwd, env, rssBytes }: PaneProgram,
    tty: SimTty,
    sessionId: string,
    paneId: string,
    by: By,
  ): SimProcess {
    const { machine, socketPath, pid } = this.#server;
    const marks = { TMUX: `${socketPath},${pid},${sessionId.slice(1)}`, TMUX_PANE: paneId };
    const spec = {
      ...{ argv, cwd, env: { HOME: machine.home, ...env, ...marks }, ppid: pid, tty },
      ...(rssBytes !== undefined && { rssBytes }),
    };
    const process = machine.processes.spawn({ ...spec, session: 'own' }, by);
    tty.front = process.pgid;
    return process;
  }
}
