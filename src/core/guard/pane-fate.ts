import type { PaneSighting, PresentServer } from '../sight/sighting.ts';
import type { Exit, GuardedLife, GuardedPane } from './guarded.ts';

export const FATES = ['alive', 'ended', 'died', 'closed', 'respawned', 'unsettled', 'unknown'] as const;

/** What became of one guarded pane. */
export interface PaneFate extends GuardedPane {
  /**
   * `ended`: exit status 0 is proven. `died`: anything else, also an exit that nobody can tell. `closed`: the pane is
   * gone. `respawned`: another program runs in it. `unsettled`: dead, but tmux and the kernel have not both caught up.
   */
  readonly state: (typeof FATES)[number];
  readonly exit: Exit | null;
  /** The kernel's word on the pane's process, which may outlive its pane. */
  readonly process: GuardedLife['state'];
  /** The session that holds the pane now. */
  readonly sessionId: string | null;
}

/** Lays tmux's word and the kernel's side by side. Once `isSettling` is over, what is still missing stays unknown. */
export function fateOf(
  pane: GuardedPane,
  server: PresentServer,
  life: GuardedLife,
  isSettling: boolean,
): PaneFate {
  const found = findPane(server, pane.paneId);
  const exit = life.state === 'dead' ? life.exit : null;
  const base = { paneId: pane.paneId, pid: pane.pid, process: life.state };
  if (found === null) return { ...base, state: 'closed', exit, sessionId: null };
  const { sighting, sessionId } = found;
  if (sighting.pid !== pane.pid) return { ...base, state: 'respawned', exit, sessionId };
  if (!sighting.isDead && life.state !== 'dead') return { ...base, state: 'alive', exit: null, sessionId };
  // tmux calls a pane dead whose program only let go of its terminal.
  if (life.state === 'alive' && toldBy(sighting) === null) {
    return { ...base, state: 'alive', exit: null, sessionId };
  }
  const told = toldBy(sighting) ?? exit;
  const isTold = sighting.isDead && told !== null;
  if (!isTold && isSettling) return { ...base, state: 'unsettled', exit: told, sessionId };
  return { ...base, state: told?.status === 0 ? 'ended' : 'died', exit: told, sessionId };
}

/** What became of a pane whose server is gone, or says nothing. */
export function fateWithout(pane: GuardedPane, life: GuardedLife, state: 'closed' | 'unknown'): PaneFate {
  const exit = life.state === 'dead' ? life.exit : null;
  return { paneId: pane.paneId, pid: pane.pid, state, exit, process: life.state, sessionId: null };
}

/** How a dead pane's process ended, as tmux tells it; null where tmux lost it (builds with utempter, up to 3.5). */
export function toldBy({ exitStatus, exitSignal }: PaneSighting): Exit | null {
  if (exitStatus === undefined && exitSignal === undefined) return null;
  return { status: exitStatus ?? null, signal: exitSignal ?? null };
}

/** How an end is said. */
export function spokenExit(exit: Exit | null): string {
  if (exit === null) return 'its exit status is not known, so it was no clean end';
  return exit.signal === null ? `exit status ${exit.status}` : `ended by ${exit.signal}`;
}

function findPane(server: PresentServer, paneId: string) {
  for (const session of server.sessions) {
    const sighting = session.panes.find((pane) => pane.paneId === paneId);
    if (sighting !== undefined) return { sighting, sessionId: session.sessionId };
  }
  return null;
}
