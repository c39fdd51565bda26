import type { Evidence } from '../core/evidence.ts';
import type { SessionEntry } from '../core/roll.ts';
import type { PaneVerdict, Verdict } from '../core/verdict.ts';
import type { SessionLook } from './look-at-server.ts';

/** The roll's line on a session that was seen. */
export function sessionEntry(
  look: SessionLook,
  verdict: Verdict,
  evidence: readonly Evidence[],
): SessionEntry {
  const { server, session } = look;
  const { activity, waitingFor, lifecycle, since, reasons, protections, agent } = verdict;
  return {
    activity,
    waitingFor,
    lifecycle,
    since,
    reasons,
    protections,
    get blockers() {
      return verdict.blockers;
    },
    get checks() {
      return verdict.checks;
    },
    agent,
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
    memoryBytes: memoryOf(look),
    retainedUntil: null,
    panes: look.panes.map(({ sighting, program, cwd }) => ({
      paneId: sighting.paneId,
      windowIndex: sighting.windowIndex,
      paneIndex: sighting.paneIndex,
      isActive: sighting.isActive,
      pid: sighting.pid,
      program,
      activity: judgedOf(verdict, sighting.paneId)?.activity ?? 'unknown',
      waitingFor: judgedOf(verdict, sighting.paneId)?.waitingFor ?? null,
      title: sighting.title,
      cwd,
      isDead: sighting.isDead,
      exitStatus: sighting.exitStatus ?? null,
      exitSignal: sighting.exitSignal ?? null,
    })),
    evidence,
  };
}

function judgedOf({ panes }: Verdict, paneId: string): PaneVerdict | undefined {
  return panes.find((pane) => pane.paneId === paneId);
}

// A process counts once, also where two panes lay claim to it.
function memoryOf({ panes }: SessionLook): number | null {
  const counted = new Set<number>();
  let bytes = 0;
  for (const { pid, memoryBytes } of panes.flatMap((pane) => pane.processes)) {
    if (!counted.has(pid)) bytes += memoryBytes;
    counted.add(pid);
  }
  return counted.size === 0 ? null : bytes;
}

/** What `tmux -L` takes for a socket in the usual folder. */
export function labelOf(socketPath: string): string {
  return socketPath.slice(socketPath.lastIndexOf('/') + 1);
}
