import type { PaneEntry, SessionEntry } from '../../core/sight/roll.ts';
import { WithVerdict } from '../../core/verdict/checklist.ts';
import type { Evidence } from '../../core/verdict/evidence.ts';
import type { PaneVerdict, Verdict } from '../../core/verdict/verdict.ts';
import type { PresentServer, SessionLook } from './look-at-server.ts';
import type { PaneLook } from './read-pane.ts';

/** The roll's line on a session that was seen. */
export class SeenSession extends WithVerdict implements SessionEntry {
  readonly key: string;
  readonly name: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly server: SessionEntry['server'];
  readonly role: string | null;
  readonly task: string | null;
  readonly owner: string | null;
  readonly attached: number;
  readonly memoryBytes: number | null;
  readonly panes: SessionEntry['panes'];
  readonly evidence: readonly Evidence[];

  constructor(look: SessionLook, verdict: Verdict, evidence: readonly Evidence[]) {
    super(verdict, verdict);
    const { server, session } = look;
    this.key = look.key;
    this.name = session.name;
    this.sessionId = session.sessionId;
    this.createdAt = session.createdAtSeconds * 1000;
    this.server = serverEntry(server);
    const { claims } = look.declared ?? {};
    this.role = claims?.role ?? null;
    this.task = claims?.task ?? null;
    this.owner = claims?.owner ?? null;
    this.attached = look.attached;
    this.memoryBytes = memoryOf(look);
    this.panes = look.panes.map((pane) => paneEntry(pane, judgedOf(verdict, pane.sighting.paneId)));
    this.evidence = evidence;
  }
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
