import type {
  ClientSighting,
  PaneSighting,
  ScreenSighting,
  ServerSighting,
  SessionSighting,
} from '../../../src/core/sight/sighting.ts';
import type { TmuxSensor } from '../../../src/ports/sensor.ts';
import { noticeEnds } from '../machine/pane-end.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import type { SimTmuxServer } from '../machine/tmux-server.ts';
import type { Seat } from './seat.ts';

const LISTING_MS = 8;
const CAPTURE_MS = 6;
const TIMEOUT_MS = 2000;
const WIDTH = 120;

interface Listed {
  readonly revision: number;
  readonly second: number;
  readonly sessions: readonly SessionSighting[];
  readonly clients: readonly ClientSighting[];
}

/** What was last listed of each server, for every seat: equal objects as long as nothing has changed, as the parser has it. */
const listed = new WeakMap<SimTmuxServer, Listed>();
const sightings = new WeakMap<SimPane, PaneSighting>();

/** Sees the tmux servers of a machine; only these sockets, or all of them and those where something is expected. */
export function tmuxSensor(
  seat: Seat,
  only: readonly string[] | null,
  expected: () => Iterable<string>,
): TmuxSensor {
  const { machine } = seat;
  const ask = (socketPath: string): Promise<ServerSighting> => {
    const server = machine.servers.get(socketPath);
    const known = server === undefined ? {} : { pid: server.pid, startTicks: server.process.startTicks };
    const failed = (failure: 'timeout' | 'stopped' | 'garbled' | 'failed'): ServerSighting => ({
      ...{ socketPath, observedAt: machine.clock.at, state: 'failed', failure, ...known },
      text: `tmux gives no answer (${failure})`,
    });
    if (server?.mood === 'stopped') return seat.later(1, () => failed('stopped'));
    if (server?.mood === 'hung') return seat.later(TIMEOUT_MS, () => failed('timeout'));
    return seat.ask<ServerSighting>({
      ...{ port: 'tmux.sense', server: socketPath, ms: LISTING_MS, timeoutMs: TIMEOUT_MS },
      work() {
        const told = sighting(machine.servers.get(socketPath), socketPath, machine.clock.at);
        machine.looked.times += 1;
        machine.looked.sessions += told.state === 'present' ? told.sessions.length : 0;
        return told;
      },
      failed: (how) => failed(how === 'fail' ? 'failed' : how),
    });
  };
  return {
    sense(processes) {
      seat.step();
      const sockets = only ?? [...new Set([...machine.sockets, ...expected()])].sort();
      const answers = sockets.map(ask);
      processes();
      return answers.length === 1
        ? (answers[0]?.then((one) => [one]) ?? Promise.resolve([]))
        : Promise.all(answers);
    },
    capture: (socketPath, paneIds, rowsAbove = 0) =>
      seat.ask<ScreenSighting[]>({
        ...{ port: 'tmux.capture', server: socketPath, ms: CAPTURE_MS, timeoutMs: TIMEOUT_MS },
        work() {
          const server = machine.servers.get(socketPath);
          server?.asked();
          if (server !== undefined && server.mood !== 'well')
            return paneIds.map((paneId) => unseen(paneId, 'timeout'));
          return paneIds.map((paneId) => screenOf(server?.panes.get(paneId), paneId, rowsAbove));
        },
        failed: (how) => paneIds.map((paneId) => unseen(paneId, how)),
      }),
    wake: (socketPath) =>
      seat.ask<void>({
        ...{ port: 'tmux.act', server: socketPath, ms: LISTING_MS, timeoutMs: TIMEOUT_MS },
        work() {
          const server = machine.servers.get(socketPath);
          if (server?.mood === 'well') noticeEnds(server.panes.values());
        },
        failed: () => {},
      }),
  };

  function unseen(paneId: string, how: string): ScreenSighting {
    return {
      paneId,
      observedAt: machine.clock.at,
      state: 'failed',
      text: `its screen cannot be had (${how})`,
    };
  }

  function screenOf(pane: SimPane | undefined, paneId: string, rowsAbove: number): ScreenSighting {
    const observedAt = machine.clock.at;
    if (pane === undefined) return { paneId, observedAt, state: 'absent' };
    const { screen } = pane;
    const above = rowsAbove === 0 ? [] : screen.history.slice(-rowsAbove);
    const lines = [...above, ...screen.lines];
    const { x, y } = screen.cursor;
    const cursor = { x, y: y + above.length, width: WIDTH };
    return { paneId, observedAt, state: 'captured', lines, styled: lines, cursor };
  }
}

/** What one listing of a server tells. */
function sighting(server: SimTmuxServer | undefined, socketPath: string, observedAt: number): ServerSighting {
  if (server === undefined || server.isGone) return { socketPath, observedAt, state: 'absent' };
  server.asked();
  const { sessions, clients } = listingOf(server);
  const { pid, version, startedAtSeconds } = server;
  const { startTicks } = server.process;
  const startedAt = startedAtSeconds * 1000;
  return { socketPath, observedAt, state: 'present', pid, startTicks, startedAt, version, sessions, clients };
}

function listingOf(server: SimTmuxServer): Listed {
  const known = listed.get(server);
  const second = isPrinting(server) ? server.machine.clock.seconds : 0;
  if (known?.revision === server.revision && known.second === second) return known;
  const sessions = [...server.sessions.values()].map(sessionSighting);
  const clients = [...server.clients.values()].map(({ session, process, lastInputAt, isControl }) => ({
    ...{ sessionId: session.id, tty: process.tty?.path ?? '', pid: process.pid, isControl },
    lastInputAt: Math.floor(lastInputAt / 1000) * 1000,
  }));
  const now = { revision: server.revision, second, sessions, clients };
  listed.set(server, now);
  return now;
}

function isPrinting(server: SimTmuxServer): boolean {
  for (const { screen } of server.panes.values()) if (screen.printingSinceMs !== null) return true;
  return false;
}

function sessionSighting(session: SimSession): SessionSighting {
  const { id, name, createdAtSeconds, group, lastAttachedAtSeconds, options, windows, server } = session;
  const size = group === null ? 1 : [...server.sessions.values()].filter((one) => one.group === group).length;
  const held = options.get('@rollcall_held');
  return {
    ...{ sessionId: id, name, createdAtSeconds },
    ...(group !== null && { group }),
    ...(lastAttachedAtSeconds > 0 && { lastAttachedAt: lastAttachedAtSeconds * 1000 }),
    ...(held !== undefined && { heldMark: held }),
    panes: windows.flatMap((window, windowIndex) =>
      window.panes.map((pane, paneIndex) =>
        paneSighting(
          pane,
          { windowIndex, paneIndex, isActive: session.current === window && window.active === pane },
          size > 1 || window.sessions.size > 1,
        ),
      ),
    ),
  };
}

function paneSighting(
  pane: SimPane,
  place: Pick<PaneSighting, 'windowIndex' | 'paneIndex' | 'isActive'>,
  isWindowShared: boolean,
): PaneSighting {
  const { id, process, isDead, ended, screen, title, tty, startCommand, startPath, server, window } = pane;
  const now: PaneSighting = {
    ...{ paneId: id, ...place, pid: process.pid, isDead, isWindowShared, title, startCommand, startPath },
    ...(isDead && ended?.status != null && { exitStatus: ended.status }),
    ...(isDead && ended?.signal != null && { exitSignal: ended.signal }),
    ...{
      lastOutputAt: server.activityOf(window) * 1000,
      isFullScreen: screen.isAlternate,
      isInMode: pane.modes > 0,
    },
    ...(pane.isPiped && { isPiped: true as const }),
    tty: tty.path,
  };
  const before = sightings.get(pane);
  if (before !== undefined && isEqual(before, now)) return before;
  sightings.set(pane, now);
  return now;
}

function isEqual(one: PaneSighting, other: PaneSighting): boolean {
  const names = Object.keys(other) as (keyof PaneSighting)[];
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name]);
}
