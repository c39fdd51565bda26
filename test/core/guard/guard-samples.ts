import type { Guarded, GuardedLife, Lives } from '../../../src/core/guard/guarded.ts';
import type { PaneSighting, ServerSighting, SessionSighting } from '../../../src/core/sight/sighting.ts';

export const SERVER = { socketPath: '/tmp/tmux-1/work', pid: 100, startTicks: 5 };

export function guarded(over: Partial<Guarded> = {}): Guarded {
  return {
    server: SERVER,
    sessionId: '$1',
    createdAtSeconds: 1000,
    name: 'build',
    panes: [{ paneId: '%1', pid: 201 }],
    scope: 'session',
    ...over,
  };
}

export function pane(paneId: string, pid: number, over: Partial<PaneSighting> = {}): PaneSighting {
  return {
    ...{ paneId, pid, windowIndex: 0, paneIndex: 0, isActive: true, isDead: false, isInMode: false },
    ...{ isWindowShared: false, title: '', startCommand: '' },
    ...over,
  };
}

export function session(
  panes: readonly PaneSighting[],
  over: Partial<SessionSighting> = {},
): SessionSighting {
  return { sessionId: '$1', name: 'build', createdAtSeconds: 1000, panes, ...over };
}

export type PresentServer = Extract<ServerSighting, { state: 'present' }>;

export function present(sessions: readonly SessionSighting[], pid = SERVER.pid): PresentServer {
  const { socketPath, startTicks } = SERVER;
  return {
    state: 'present',
    socketPath,
    observedAt: 0,
    pid,
    startTicks,
    version: '3.3a',
    sessions,
    clients: [],
  };
}

export const ALIVE: GuardedLife = { state: 'alive' };
export const DEAD: GuardedLife = { state: 'dead', exit: null };

export function lives(server: Lives['server'], ...panes: readonly [string, GuardedLife][]): Lives {
  return { server, panes: new Map(panes) };
}
