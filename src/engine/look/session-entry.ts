import type { SessionIdentity } from '../../core/sight/identity.ts';
import type { PaneEntry, SessionEntry } from '../../core/sight/roll.ts';
import type { PresentServer } from '../../core/sight/sighting.ts';
import { WithVerdict } from '../../core/verdict/checklist.ts';
import type { Declared } from '../../core/verdict/declared.ts';
import type { Evidence } from '../../core/verdict/evidence.ts';
import type { PaneVerdict, Verdict } from '../../core/verdict/verdict.ts';
import { claimsIn } from './declared-standing.ts';
import type { SessionLook } from './look-at-server.ts';
import type { PaneLook } from './read-pane.ts';

// A class, because its checklist is gone through only when somebody asks for it.
class Seen extends WithVerdict {}

/** The roll's line on a session that was seen. */
export function seenSession(
  look: SessionLook,
  verdict: Verdict,
  evidence: readonly Evidence[],
): SessionEntry {
  const { name, sessionId, createdAtSeconds } = look.session;
  return Object.assign(new Seen(verdict, verdict), {
    ...{ key: look.key, name, sessionId, createdAt: createdAtSeconds * 1000 },
    server: serverEntry(look.server),
    ...claimsIn(look.declared ?? {}),
    attached: look.attached,
    memoryBytes: memoryOf(look),
    panes: look.panes.map((pane) => paneEntry(pane, judgedOf(verdict, pane.sighting.paneId))),
    evidence,
  });
}

/** The roll's line on a session of which nothing can be seen now. */
export function unseenSession(
  { key, name, sessionId, createdAtSeconds, server }: SessionIdentity & Pick<SessionEntry, 'key' | 'name'>,
  verdict: Omit<Verdict, 'panes'>,
  declared: Declared,
  evidence: Evidence,
): SessionEntry {
  const { socketPath, pid, startTicks } = server;
  return {
    ...verdict,
    ...{ key, name, sessionId, createdAt: createdAtSeconds * 1000 },
    server: { socketPath, label: labelOf(socketPath), pid, startTicks, version: null },
    ...claimsIn(declared),
    ...{ attached: 0, memoryBytes: null, panes: [], evidence: [evidence] },
  };
}

const servers = new WeakMap<PresentServer, SessionEntry['server']>();

function serverEntry(server: PresentServer): SessionEntry['server'] {
  const known = servers.get(server);
  if (known) return known;
  const { socketPath, pid, startTicks, version } = server;
  const entry = { socketPath, label: labelOf(socketPath), pid, startTicks, version };
  servers.set(server, entry);
  return entry;
}

function paneEntry({ sighting, program, cwd }: PaneLook, judged: PaneVerdict | undefined): PaneEntry {
  return {
    paneId: sighting.paneId,
    windowIndex: sighting.windowIndex,
    paneIndex: sighting.paneIndex,
    isActive: sighting.isActive,
    pid: sighting.pid,
    program,
    activity: judged?.activity ?? 'unknown',
    waitingFor: judged?.waitingFor ?? null,
    title: sighting.title,
    cwd,
    isDead: sighting.isDead,
    exitStatus: sighting.exitStatus ?? null,
    exitSignal: sighting.exitSignal ?? null,
  };
}

function judgedOf({ panes }: Verdict, paneId: string): PaneVerdict | undefined {
  return panes.find((pane) => pane.paneId === paneId);
}

// A process counts once, also where two panes lay claim to it.
function memoryOf({ panes }: SessionLook): number | null {
  const counted = new Set<number>();
  let bytes = 0;
  for (const { processes } of panes) {
    for (const { pid, memoryBytes } of processes) {
      if (!counted.has(pid)) bytes += memoryBytes;
      counted.add(pid);
    }
  }
  return counted.size === 0 ? null : bytes;
}

/** What `tmux -L` takes for a socket in the usual folder. */
export function labelOf(socketPath: string): string {
  return socketPath.slice(socketPath.lastIndexOf('/') + 1);
}
