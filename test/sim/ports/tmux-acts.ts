import type { ProcessMark } from '../../../src/core/sight/identity.ts';
import { withoutBlanks } from '../../../src/core/text/without-blanks.ts';
import type {
  Acted,
  NotDone,
  PaneTarget,
  SessionTarget,
  Terms,
  TmuxActuator,
} from '../../../src/ports/actuator.ts';
import { noticeEnds } from '../machine/pane-end.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import type { SimTmuxServer } from '../machine/tmux-server.ts';
import { layOut } from './lay-out.ts';
import { layoutOf, setEnd, stampPane } from './pane-marks.ts';
import type { Seat } from './seat.ts';
import { findPane, findSession, lastSecond, paneStrayed, stanceOf, strayed } from './tmux-stance.ts';
import { startInPane, startSession } from './tmux-start.ts';

const ACT_MS = 6;
export const ACT_TIMEOUT_MS = 10_000;

/** Asks a tmux server to do something; it does it when it comes to it, also after whoever asked has given up. */
export function asks<T extends { readonly state: string }>(
  seat: Seat,
  socketPath: string,
  what: string,
  of: string,
  work: () => T,
): Promise<T | NotDone> {
  const { machine } = seat;
  const failed = (how: string): NotDone => ({ state: 'failed', text: `tmux gave no answer (${how})` });
  const note = (done: T): T => {
    if (done.state === 'done' || done.state === 'started') {
      machine.journal.note(seat.by, { what: 'act', seat: seat.name, act: what, answer: done.state, of });
    }
    return done;
  };
  const server = machine.servers.get(socketPath);
  server?.asked();
  if (server !== undefined && server.mood !== 'well') {
    seat.step();
    return new Promise((resolve) => {
      const late = seat.after(ACT_TIMEOUT_MS, () => resolve(failed('timeout')));
      server.queue(() => {
        const done = note(work());
        seat.after(ACT_MS / 2, () => resolve(done));
        late();
      });
    });
  }
  const fault = seat.fault('tmux.act', socketPath);
  if (fault?.how === 'hang') {
    machine.clock.atMs(fault.fromMs + fault.forMs, () => {
      if (!machine.isDown) note(work());
    });
  }
  return seat.ask<T | NotDone>({
    ...{ port: 'tmux.act', server: socketPath, ms: ACT_MS, timeoutMs: ACT_TIMEOUT_MS },
    work: () => note(work()),
    failed,
  });
}

/** Changes sessions of the simulated tmux servers: compares and acts in one step, as the real one. */
export function tmuxActuator(seat: Seat): TmuxActuator {
  const { machine, by } = seat;

  const inSession = (
    target: SessionTarget,
    what: string,
    work: (server: SimTmuxServer, session: SimSession) => Acted,
  ): Promise<Acted> =>
    asks<Acted>(seat, target.server.socketPath, what, nameOf(target), () => {
      const found = findSession(machine, target);
      return 'state' in found ? found : work(found.server, found.session);
    });

  const inPane = (
    target: PaneTarget,
    what: string,
    work: (server: SimTmuxServer, pane: SimPane, session: SimSession) => Acted,
  ): Promise<Acted> =>
    asks<Acted>(seat, target.session.server.socketPath, what, nameOf(target.session), () => {
      const found = findPane(machine, target);
      return 'state' in found ? found : work(found.server, found.pane, found.session);
    });

  const onStance = (
    terms: Terms,
    what: string,
    work: (server: SimTmuxServer, session: SimSession) => void,
  ) => {
    const before = lastSecond(terms.stance, machine.clock.awakeMs, ACT_TIMEOUT_MS);
    return inSession(terms.stance.session, what, (server, session) => {
      const other = strayed(session, terms, before);
      if (other !== null) return other;
      work(server, session);
      return DONE;
    });
  };

  const withKeys = (
    pane: PaneTarget,
    what: string,
    terms: Terms,
    work: (server: SimTmuxServer, pane: SimPane) => void,
  ) => {
    const before = lastSecond(terms.stance, machine.clock.awakeMs, ACT_TIMEOUT_MS);
    return inPane(pane, what, (server, found, session) => {
      const other = paneStrayed(session, found, terms, before);
      if (other !== null) return other;
      work(server, found);
      return DONE;
    });
  };

  return {
    startSession: (socketPath, wish) => startSession(seat, socketPath, wish),
    startInPane: (pane, wish, terms) => startInPane(seat, pane, wish, terms),
    enterOnAttach: (pane, isOn) =>
      inPane(pane, 'enter-on-attach', (_, found, session) => {
        session.onAttach = isOn ? { pane: found, pid: pane.pid } : null;
        return DONE;
      }),
    setEnd: (pane, how) =>
      inPane(pane, 'set-end', (server, found) => {
        setEnd(seat, server, found, how);
        return DONE;
      }),
    stamp: (pane, stamp) =>
      inPane(pane, 'stamp', (server, found) => {
        stampPane(seat, server, found, stamp);
        return DONE;
      }),
    runOf: (pane) =>
      asks(seat, pane.session.server.socketPath, 'run-of', nameOf(pane.session), () => {
        const found = findPane(machine, pane);
        if ('state' in found) return found;
        const { options, endHook } = found.pane;
        return {
          ...({ state: 'read', run: options.get('@rollcall_run') ?? null } as const),
          sessionRun: found.session.options.get('@rollcall_session') ?? null,
          isEndPending: options.has('@rollcall_ends'),
          remain: options.get('remain-on-exit') ?? null,
          inherited: 'off',
          hasOwnHook: endHook?.kind === 'user',
        };
      }),
    letGo: (pane) =>
      inPane(pane, 'let-go', (server, found) => {
        if (!found.options.has('@rollcall_ends')) server.setOption(found, 'remain-on-exit', null, by);
        return DONE;
      }),
    markHeld: (session, since) =>
      inSession(session, 'mark-held', (server, found) => {
        server.setOption(
          found,
          '@rollcall_held',
          since === null ? null : String(Math.floor(since / 1000)),
          by,
        );
        return DONE;
      }),
    wake: (session) =>
      inSession(session, 'wake', (server) => {
        noticeEnds(server.panes.values());
        return DONE;
      }),
    stance: (session) =>
      asks(seat, session.server.socketPath, 'stance', nameOf(session), () => {
        const found = findSession(machine, session);
        return 'state' in found
          ? found
          : ({ state: 'seen', stance: stanceOf(found.session, session) } as const);
      }),
    confirm: (terms) => onStance(terms, 'confirm', () => {}),
    signal: (terms, processes, signal) =>
      onStance(terms, `signal ${signal}`, () => sendBehind(seat, processes, signal)),
    type: (pane, text, terms) =>
      withKeys(pane, 'type', terms, (server, found) => server.type(found, text, by)),
    press: (pane, key, terms, times = 1) =>
      withKeys(pane, `press ${key}`, terms, (server, found) => {
        for (let count = 0; count < times; count += 1) server.press(found, key, by);
      }),
    history: (pane) =>
      asks(seat, pane.session.server.socketPath, 'history', nameOf(pane.session), () => {
        const found = findPane(machine, pane);
        if ('state' in found) return { state: 'absent' } as const;
        const { history, lines } = found.pane.screen;
        const text = [...history, ...lines].map(withoutBlanks).join('\n').trimEnd();
        return { state: 'captured', text: text === '' ? '' : `${text}\n`, isCut: false } as const;
      }).then((told) =>
        told.state === 'captured' || told.state === 'absent'
          ? told
          : { state: 'failed', text: 'text' in told ? told.text : '' },
      ),
    layout: async (session) => {
      const told = await asks(seat, session.server.socketPath, 'layout', nameOf(session), () => {
        const found = findSession(machine, session);
        return 'state' in found ? found : ({ state: 'told', windows: layoutOf(found.session) } as const);
      });
      return told.state === 'told' ? told.windows : null;
    },
    layOut: (pane, windows) =>
      inPane(pane, 'lay-out', (_, found, session) => layOut(seat, session, found, windows)),
    removeSession: (terms) => onStance(terms, 'remove', (server, session) => server.killSession(session, by)),
  };
}

const DONE = { state: 'done' } as const;

/** How long the shell that sends a signal takes to begin. */
const SHELL_MS = 3;

// tmux starts a shell that compares each process with its start, and sends: whatever becomes of rollcall meanwhile.
function sendBehind(
  { machine, by }: Seat,
  processes: readonly ProcessMark[],
  signal: 'SIGTERM' | 'SIGKILL',
): void {
  machine.clock.after(SHELL_MS, () => {
    if (machine.isDown) return;
    for (const mark of processes) {
      const effect = machine.processes.signal(mark, signal, by);
      if (effect !== 'gone') machine.processes.signal(mark, 'SIGCONT', by);
    }
  });
}

function nameOf({ sessionId, createdAtSeconds, server }: SessionTarget): string {
  return `${server.pid}${sessionId}.${createdAtSeconds}`;
}
