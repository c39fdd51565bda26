import { kind, MINUTE, SECOND, time } from '../kind.ts';
import { DEFAULT_SOCKET, visit } from './sessions.ts';

/** Somebody comes, looks, reads, types something without sending it, and goes. */
const visits = kind(
  (rng) => ({
    does: rng.pick(['looks', 'looks', 'reads', 'keys', 'half-types'] as const) as string,
    forMs: time(rng, SECOND, 40 * MINUTE),
    control: rng.chance(0.1),
  }),
  ({ does, forMs, control }, spot) => {
    const { session, pane, machine } = spot;
    if (session === undefined || pane === undefined || !spot.isReached) return false;
    const client = visit(spot, session, forMs, control);
    const { server } = session;
    const there = (ms: number, call: () => void) =>
      spot.after(ms, () => {
        if (!session.isGone && server.panes.get(pane.id) === pane && server.mood === 'well') call();
      });
    if (does === 'reads') {
      there(forMs / 3, () => server.setMode(pane, true, 'person'));
      there((forMs * 2) / 3, () => server.setMode(pane, false, 'person'));
    }
    if (does === 'keys')
      for (let at = 1; at <= 3; at += 1)
        there((forMs * at) / 4, () => server.clients.has(client.id) && server.input(client));
    if (does === 'half-types')
      there(forMs / 2, () => {
        server.input(client);
        const agent = machine.agentIn(pane);
        if (agent === undefined || (agent.truth.draft === '' && agent.truth.dialog === null))
          server.type(pane, 'but what if', 'person');
      });
  },
);

/** Copy mode is left open. */
const reads = kind(
  (rng) => ({ forMs: time(rng, SECOND, 3 * 60 * MINUTE) }),
  ({ forMs }, spot) => {
    const { session, pane } = spot;
    if (session === undefined || pane === undefined || pane.modes > 0 || !spot.isReached) return false;
    session.server.setMode(pane, true, 'person');
    spot.after(
      forMs,
      () => session.server.panes.get(pane.id) === pane && session.server.setMode(pane, false, 'person'),
    );
  },
);

const rename = kind(
  (rng) => ({ name: `renamed-${rng.int(1, 9)}` }),
  ({ name }, spot) => {
    const { session } = spot;
    if (session === undefined || !spot.isReached) return false;
    if ([...session.server.sessions.values()].some((one) => one.name === name)) return false;
    session.server.rename(session, name, 'person');
  },
);

/** A pane moves into another session (`join-pane`). */
const moves = kind(
  (rng) => ({ to: `s${rng.int(0, 24)}` }),
  ({ to }, spot) => {
    const { session, pane, cast } = spot;
    const target = cast.session(to);
    if (
      session === undefined ||
      pane === undefined ||
      target === undefined ||
      target === session ||
      !spot.isReached
    )
      return false;
    if (target.server !== session.server || target.group !== null || session.group !== null) return false;
    session.server.movePane(pane, target.current, 'person');
  },
);

/** Another pane beside the first, with a shell or a program. */
const split = kind(
  (rng) => ({
    program: rng.pick(['/bin/bash', '/bin/bash', 'prints', '/usr/bin/vim'] as const) as string,
    forMs: time(rng, 5 * SECOND, 4 * 60 * MINUTE),
  }),
  ({ program, forMs }, spot) => {
    const { session, pane } = spot;
    if (session === undefined || pane === undefined || !spot.isReached || spot.panes.length > 3) return false;
    const { server } = session;
    const added = server.split(pane, { argv: [program], cwd: pane.startPath }, 'person');
    spot.after(
      forMs,
      () => server.panes.get(added.id) === added && !server.isGone && server.killPane(added, 'person'),
    );
  },
);

/** Somebody ends a pane, or the whole session, by hand. */
const kills = kind(
  (rng) => ({ what: rng.pick(['pane', 'session'] as const) as string }),
  ({ what }, spot) => {
    const { session, pane } = spot;
    if (session === undefined || pane === undefined || !spot.isReached) return false;
    if (what === 'pane') session.server.killPane(pane, 'person');
    else session.server.killSession(session, 'person');
  },
);

/** It is removed, and in the same breath another one has its name; or one of that name is on another server. */
const twin = kind(
  (rng) => ({ how: rng.pick(['replaced', 'elsewhere', 'prefix'] as const) as string }),
  ({ how }, spot) => {
    const { session, machine } = spot;
    if (session === undefined || !spot.isReached) return false;
    const { name, server } = session;
    const cwd = machine.home;
    const argv = ['/usr/bin/agent-full', '--prompt', 'work'];
    if (how === 'replaced') server.killSession(session, 'person');
    const socket =
      how === 'elsewhere' && server.socketPath === DEFAULT_SOCKET
        ? '/tmp/tmux-1000/other'
        : server.socketPath;
    const at = machine.startServer(socket);
    const called = how === 'prefix' ? `${name}0` : name;
    if (at.mood !== 'well' || [...at.sessions.values()].some((one) => one.name === called)) return;
    at.newSession({ name: called, argv, cwd }, 'person');
  },
);

/** Somebody looks at the same windows through a session of their own (`new-session -t`). */
const groups = kind(
  (rng) => ({ forMs: time(rng, 5 * SECOND, 2 * 60 * MINUTE), isThere: rng.chance(0.7) }),
  ({ forMs, isThere, at }, spot) => {
    const { session } = spot;
    if (session === undefined || !spot.isReached) return false;
    const { server } = session;
    const other = server.newGrouped(session, `group-${at}`, 'person');
    if (isThere) visit(spot, other, forMs / 2);
    spot.after(forMs, () => !other.isGone && !server.isGone && server.killSession(other, 'person'));
  },
);

/** At the prompt of a shell: somebody types and leaves it, or runs something. */
const atShell = kind(
  (rng) => ({
    does: rng.pick(['half-types', 'runs', 'asks', 'leaves-behind'] as const) as string,
    forMs: time(rng, 2 * SECOND, 60 * MINUTE),
  }),
  ({ does, forMs }, spot) => {
    const { shell, session, machine } = spot;
    if (shell === undefined || session === undefined || shell.standing !== 'prompt' || !spot.isReached)
      return false;
    const client = visit(spot, session, Math.min(forMs, 2 * MINUTE));
    session.server.input(client);
    if (does === 'half-types') {
      session.server.type(shell.pane, 'rm -rf bui', 'person');
      spot.after(forMs, () => {
        while (
          shell.draft !== '' &&
          !session.isGone &&
          session.server.mood === 'well' &&
          !shell.pane.isDead &&
          shell.pane.modes === 0
        ) {
          const before = shell.draft;
          session.server.press(shell.pane, 'BSpace', 'person');
          if (shell.draft === before) break;
        }
      });
    }
    if (does === 'runs') {
      const run = shell.run(['/usr/bin/make'], 'person');
      spot.after(forMs, () => machine.processes.end(run, { status: 0 }, 'agent'));
    }
    if (does === 'leaves-behind')
      shell.leave(['/usr/bin/server'], 'person', forMs % 2000 === 0 ? 'setsid' : 'nohup');
    if (does === 'asks') {
      shell.ask('Continue? ');
      spot.after(forMs, () => {
        if (shell.process.ending !== null || shell.standing !== 'question') return;
        shell.standing = 'prompt';
        shell.typed('');
      });
    }
  },
);

export const PEOPLE = {
  visits,
  reads,
  rename,
  moves,
  split,
  kills,
  twin,
  groups,
  'at-shell': atShell,
} as const;
