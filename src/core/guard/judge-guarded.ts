import type { PresentServer, ServerSighting, SessionSighting } from '../sight/sighting.ts';
import { visible } from '../text/visible.ts';
import type { Guarded, GuardedLife, Lives } from './guarded.ts';
import { fateOf, fateWithout, type PaneFate, spokenExit } from './pane-fate.ts';

export const CAUSES = [
  'server-gone',
  'server-replaced',
  'session-gone',
  'session-replaced',
  'session-closed',
  'pane-died',
  'pane-gone',
  'panes-gone',
] as const;
export type Cause = (typeof CAUSES)[number];

/** Alive, ended in order, dead, not told yet, or not to be told: nothing else, and never one for the other. */
export type GuardFinding =
  | { readonly state: 'alive'; readonly fates: readonly PaneFate[] }
  | { readonly state: 'ended'; readonly fates: readonly PaneFate[]; readonly why: string }
  | {
      readonly state: 'died';
      readonly fates: readonly PaneFate[];
      readonly cause: Cause;
      readonly why: string;
    }
  | { readonly state: 'unsettled'; readonly fates: readonly PaneFate[] }
  | { readonly state: 'unknown'; readonly text: string };

/** Judges what is guarded by tmux's word and the kernel's. Only a positive proof of death is one. */
export function judgeGuarded(
  guarded: Guarded,
  sighting: ServerSighting,
  lives: Lives,
  isSettling: boolean,
): GuardFinding {
  const { server } = guarded;
  const isOther = sighting.state === 'present' && sighting.pid !== server.pid;
  if (lives.server === 'dead') return serverDied(guarded, isOther ? sighting : null, lives);
  if (sighting.state === 'failed') return { state: 'unknown', text: sighting.text };
  if (isOther || sighting.state === 'absent') {
    // A live server whose socket leads elsewhere (deleted, or taken by another) cannot be asked: that is no death.
    if (lives.server === 'alive') {
      const text = isOther ? `server ${sighting.pid} took its socket` : 'its socket does not lead to it';
      return { state: 'unknown', text: `server ${server.pid} runs, but ${text}` };
    }
    return serverDied(guarded, isOther ? sighting : null, lives);
  }
  const fates = guarded.panes.map((pane) =>
    fateOf(pane, sighting, lives.panes.get(pane.paneId) ?? UNTOLD, isSettling),
  );
  return guarded.scope === 'session'
    ? judgeSession(guarded, sighting, fates)
    : judgePanes(guarded, sighting, fates);
}

const UNTOLD: GuardedLife = { state: 'unknown' };

function serverDied(guarded: Guarded, other: PresentServer | null, lives: Lives): GuardFinding {
  const fates = guarded.panes.map((pane) =>
    fateWithout(pane, lives.panes.get(pane.paneId) ?? UNTOLD, 'closed'),
  );
  const gone = `tmux server ${guarded.server.pid} is gone, and all its sessions with it`;
  if (other === null) return { state: 'died', cause: 'server-gone', fates, why: gone };
  const why = `${gone}; server ${other.pid} has its socket now${alike(other, guarded)}`;
  return { state: 'died', cause: 'server-replaced', fates, why };
}

function alike(server: PresentServer, { name }: Guarded): string {
  const found = server.sessions.find((session) => session.name === name);
  return found === undefined ? '' : `, and its session ${quoted(name)} is another one`;
}

function judgePanes(guarded: Guarded, server: PresentServer, fates: readonly PaneFate[]): GuardFinding {
  const isSessionGone =
    guarded.scope === 'every-pane' && !server.sessions.some((one) => isGuarded(one, guarded));
  if (isSessionGone && fates.every((fate) => fate.state === 'closed')) {
    return sessionDied(guarded, server, fates);
  }
  const bad = fates.filter(({ state }) => state === 'died' || state === 'closed' || state === 'respawned');
  if (bad.length > 0) {
    const cause = bad.some((fate) => fate.state === 'died') ? 'pane-died' : 'pane-gone';
    return { state: 'died', cause, fates, why: bad.map(deathOf).join('; ') };
  }
  if (fates.some((fate) => fate.state === 'unsettled')) return { state: 'unsettled', fates };
  if (fates.some((fate) => fate.state !== 'ended')) return { state: 'alive', fates };
  const panes = fates.length === 1 ? `pane ${fates[0]?.paneId}` : 'every pane';
  return { state: 'ended', fates, why: `${panes} ended in order: exit status 0` };
}

function deathOf(fate: PaneFate): string {
  const pane = `pane ${fate.paneId}`;
  if (fate.state === 'died') return `${pane} died: ${spokenExit(fate.exit)}`;
  if (fate.state === 'closed') return `${pane} is gone${leftBehind([fate])}`;
  return `another program was started in ${pane}: process ${fate.pid} is its program no more`;
}

function judgeSession(guarded: Guarded, server: PresentServer, fates: readonly PaneFate[]): GuardFinding {
  const dead = fates.filter((fate) => fate.state === 'died');
  if (dead.length > 0) {
    return { state: 'died', cause: 'pane-died', fates, why: dead.map(deathOf).join('; ') };
  }
  if (fates.some((fate) => fate.state === 'unsettled')) return { state: 'unsettled', fates };
  if (fates.some((fate) => fate.state === 'alive')) return { state: 'alive', fates };
  const session = server.sessions.find((one) => isGuarded(one, guarded));
  if (session === undefined) return sessionDied(guarded, server, fates);
  if (fates.some((fate) => fate.state === 'ended')) {
    return { state: 'ended', fates, why: 'every pane that was left ended in order: exit status 0' };
  }
  const why = `every pane that was guarded is gone; session ${quoted(session.name)} holds only others`;
  return { state: 'died', cause: 'panes-gone', fates, why };
}

function sessionDied(guarded: Guarded, server: PresentServer, fates: readonly PaneFate[]): GuardFinding {
  const { name, sessionId } = guarded;
  const gone = `session ${quoted(name)} (${sessionId}) is gone from a server that lives${leftBehind(fates)}`;
  const other = server.sessions.find((session) => session.name === name);
  if (other === undefined) return { state: 'died', cause: 'session-gone', fates, why: gone };
  const why = `${gone}; the session that has its name now (${other.sessionId}) is another one`;
  return { state: 'died', cause: 'session-replaced', fates, why };
}

// A program that ignores the hangup outlives its pane and works on unseen.
function leftBehind(fates: readonly PaneFate[]): string {
  const pids = fates.filter((fate) => fate.process === 'alive').map((fate) => fate.pid);
  if (pids.length === 0) return '';
  return pids.length === 1
    ? `, but process ${pids[0]} still runs`
    : `, but processes ${pids.join(', ')} still run`;
}

/** Whether it is the very session that is guarded, whatever its name. */
export function isGuarded(session: SessionSighting, guarded: Guarded): boolean {
  return session.sessionId === guarded.sessionId && session.createdAtSeconds === guarded.createdAtSeconds;
}

function quoted(name: string): string {
  return `'${visible(name, 200)}'`;
}
