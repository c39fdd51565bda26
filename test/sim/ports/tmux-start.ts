import { programArguments, wishProblem } from '../../../src/adapters/tmux/act/program.ts';
import type {
  PaneTarget,
  PaneWish,
  SessionWish,
  StartedInPane,
  StartedSession,
  Terms,
} from '../../../src/ports/actuator.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import type { PaneProgram, SimTmuxServer } from '../machine/tmux-server.ts';
import { shownWords } from '../machine/tty.ts';
import { setEnd, stampPane } from './pane-marks.ts';
import type { Seat } from './seat.ts';
import { ACT_TIMEOUT_MS, asks } from './tmux-acts.ts';
import { findPane, lastSecond, strayed } from './tmux-stance.ts';

/** Starts a detached session, and the server too where none runs. */
export async function startSession(
  seat: Seat,
  socketPath: string,
  wish: SessionWish,
): Promise<StartedSession> {
  const { machine, by } = seat;
  const problem = wishProblem(wish) ?? folderProblem(seat, wish.cwd);
  if (problem !== null) return { state: 'failed', text: problem };
  const started = await asks<StartedSession>(seat, socketPath, 'start', wish.name, () => {
    const server = machine.startServer(socketPath, by);
    const name = wish.name.replace(/[:.]/g, '_');
    if ([...server.sessions.values()].some((one) => one.name === name)) {
      return { state: 'name-taken', text: `duplicate session: ${name}` };
    }
    const session = server.newSession({ ...programOf(wish), name }, by);
    const pane = session.current.active;
    server.setOption(session, 'destroy-unattached', 'off', by);
    server.setOption(session, '@rollcall_session', wish.stamp.run, by);
    settle(seat, server, pane, wish);
    return startedIn(server, session, pane);
  });
  return started.state === 'started' || started.state === 'name-taken'
    ? started
    : { state: 'failed', text: started.text };
}

/** Starts it in the place of that very process. */
export function startInPane(
  seat: Seat,
  pane: PaneTarget,
  wish: PaneWish,
  terms?: Terms,
): Promise<StartedInPane> {
  const { machine, by } = seat;
  const problem = wishProblem(wish) ?? folderProblem(seat, wish.cwd);
  if (problem !== null) return Promise.resolve({ state: 'failed', text: problem });
  const { session: target } = pane;
  const before = terms && lastSecond(terms.stance, machine.clock.awakeMs, ACT_TIMEOUT_MS);
  return asks<StartedInPane>(seat, target.server.socketPath, 'start-in-pane', target.sessionId, () => {
    const found = findPane(machine, pane);
    if ('state' in found) return found;
    const { server, session } = found;
    const other = terms && before !== undefined ? strayed(session, terms, before) : null;
    if (other !== null) return other;
    server.respawn(found.pane, programOf(wish), by);
    settle(seat, server, found.pane, wish);
    return startedIn(server, session, found.pane);
  });
}

/** Why nothing can be started in a folder, or null. */
export function folderProblem({ machine }: Pick<Seat, 'machine'>, folder: string): string | null {
  return machine.missingFolders.has(folder) ? `no such folder: ${folder}` : null;
}

function programOf(wish: PaneWish): PaneProgram {
  const { argv, cwd, env, caller, withoutEnv, stamp } = wish;
  const given = Object.entries({ ...caller?.values, ...env }).filter(([name]) => !withoutEnv.includes(name));
  return {
    ...{
      argv,
      cwd,
      env: { ...Object.fromEntries(given), ROLLCALL_RUN: stamp.run, ROLLCALL_OWNER: stamp.owner },
    },
    startCommand: shownWords(programArguments(wish).slice(1)),
  };
}

function settle(seat: Seat, server: SimTmuxServer, pane: SimPane, wish: PaneWish): void {
  const { stamp, remain, isUnrecorded, isKept = false } = wish;
  if (remain && !isUnrecorded) server.setOption(pane, 'remain-on-exit', 'on', seat.by);
  stampPane(seat, server, pane, stamp);
  setEnd(seat, server, pane, isUnrecorded ? 'held' : { run: stamp.run, isKept });
}

function startedIn(
  server: SimTmuxServer,
  session: SimSession,
  pane: SimPane,
): Extract<StartedSession, { state: 'started' }> {
  const { socketPath, pid, process } = server;
  const { id: sessionId, createdAtSeconds, name } = session;
  return {
    ...{ state: 'started', server: { socketPath, pid, startTicks: process.startTicks } },
    ...{ sessionId, createdAtSeconds, name, paneId: pane.id, pid: pane.process.pid },
  };
}
