import type { Evidence } from '../core/evidence.ts';
import type { SessionEntry } from '../core/roll.ts';
import type { Verdict } from '../core/verdict.ts';
import type { SessionLook } from './look-at-server.ts';

/** The roll's line on a session that was seen. */
export function sessionEntry(
  look: SessionLook,
  verdict: Verdict,
  evidence: readonly Evidence[],
): SessionEntry {
  const { server, session } = look;
  const memory = new Map(look.panes.flatMap((pane) => [...pane.memory]));
  const judged = new Map(verdict.panes.map((pane) => [pane.paneId, pane]));
  return {
    ...verdict,
    key: look.key,
    name: session.name,
    sessionId: session.sessionId,
    createdAt: session.createdAtSeconds * 1000,
    server: {
      socketPath: server.socketPath,
      label: labelOf(server.socketPath),
      pid: server.pid,
      startTicks: server.startTicks,
      version: server.version,
    },
    role: null,
    task: null,
    owner: null,
    attached: look.attached,
    memoryBytes: memory.size === 0 ? null : [...memory.values()].reduce((sum, bytes) => sum + bytes, 0),
    retainedUntil: null,
    panes: look.panes.map(({ sighting, program, cwd }) => ({
      paneId: sighting.paneId,
      windowIndex: sighting.windowIndex,
      paneIndex: sighting.paneIndex,
      isActive: sighting.isActive,
      pid: sighting.pid,
      program,
      activity: judged.get(sighting.paneId)?.activity ?? 'unknown',
      waitingFor: judged.get(sighting.paneId)?.waitingFor ?? null,
      title: sighting.title,
      cwd,
      isDead: sighting.isDead,
      exitStatus: sighting.exitStatus ?? null,
      exitSignal: sighting.exitSignal ?? null,
    })),
    evidence,
  };
}

/** What `tmux -L` takes for a socket in the usual folder. */
export function labelOf(socketPath: string): string {
  return socketPath.slice(socketPath.lastIndexOf('/') + 1);
}
