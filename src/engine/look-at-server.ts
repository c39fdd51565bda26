import type { Declared } from '../core/declared.ts';
import type { Evidence } from '../core/evidence.ts';
import type { HostIdentity } from '../core/identity.ts';
import { serverKey, sessionKeyOn } from '../core/identity.ts';
import type { SessionFacts } from '../core/ledger/current-facts.ts';
import { massDeath } from '../core/mass-death.ts';
import type { Moment } from '../core/moment.ts';
import type { ProcessIndex } from '../core/pane-processes.ts';
import type { ProcessTable } from '../core/process.ts';
import type { Recollection, RememberedPane, RememberedServer } from '../core/recollection.ts';
import { rememberPane } from '../core/remember-pane.ts';
import type { PaneSighting, ServerSighting, SessionSighting } from '../core/sighting.ts';
import type { DeclaredReading } from '../ports/declared-facts.ts';
import { declaredAbout, declaredStanding, factsAbout, markedHold, undeclared } from './declared-standing.ts';
import type { MarkedProcesses } from './marked-processes.ts';
import { markKey } from './marked-processes.ts';
import type { Parts } from './parts.ts';
import type { ProcessReader } from './process-reader.ts';
import type { PaneLook } from './read-pane.ts';
import { readPane } from './read-pane.ts';

export type PresentServer = Extract<ServerSighting, { state: 'present' }>;

/** One session with everything the cheap sensors have on it, before the verdict. */
export interface SessionLook {
  readonly key: string;
  readonly server: PresentServer;
  readonly session: SessionSighting;
  readonly panes: readonly PaneLook[];
  readonly evidence: readonly Evidence[];
  /** What the next look will compare its panes with. */
  readonly rememberedPanes: Readonly<Record<string, RememberedPane>>;
  readonly attached: number;
  /** What was declared about it. */
  readonly declared?: Declared;
}

/** One server with its sessions read. */
export interface ServerLook {
  readonly key: string;
  readonly server: PresentServer;
  readonly massDeath: RememberedServer['massDeath'];
  readonly sessions: readonly SessionLook[];
}

/** What all servers share in one tick. */
export interface Scene {
  readonly host: HostIdentity;
  readonly now: Moment;
  readonly table: ProcessTable;
  readonly index: ProcessIndex;
  readonly marked: MarkedProcesses;
  readonly reader: ProcessReader;
  readonly memory: Recollection;
  /** Awake time since the last look. */
  readonly elapsedMs: number;
  readonly lastLookAt: number;
  /** What the ledger says, read after the servers were asked. */
  readonly declared: DeclaredReading;
  /** What it said before they were. */
  readonly expected: ReadonlyMap<string, SessionFacts>;
  /** When earlier looks last saw a session that is gone. */
  lastSeenAt(key: string): number | undefined;
}

/** Reads all sessions of one server. */
export function lookAtServer(server: PresentServer, scene: Scene, parts: Parts): ServerLook {
  const key = serverKey(scene.host, server);
  const before = scene.memory.servers[key];
  const read = (pane: PaneSighting, earlier: RememberedPane | undefined): PaneLook => {
    const readings = scene.reader.read(pane, scene.marked.get(markKey(server.pid, pane.paneId)) ?? []);
    const processesAt = scene.table.isComplete || readings.length > 0 ? scene.table.observedAt : null;
    const seen = { tmuxAt: server.observedAt, processesAt, earlierCwd: earlier?.cwd };
    return readPane(pane, seen, readings, parts);
  };
  const alive = server.sessions.flatMap((session) => session.panes).filter((pane) => !pane.isDead);
  const aliveIds = new Set(alive.map((pane) => pane.paneId));
  const deaths = massDeath(before, aliveIds, scene.now, parts.policy.exitedAfterMs);
  const common = [...commonEvidence(scene, deaths), ...undeclared(scene.declared, scene.now.at)];
  const sessions = server.sessions.map((session) => {
    const sessionKey = sessionKeyOn(key, session);
    const earlier = before?.sessions[sessionKey]?.panes;
    const panes = session.panes.map((pane) => read(pane, earlier?.[pane.paneId]));
    const histories = panes.map(({ reading }) =>
      rememberPane(reading, earlier?.[reading.paneId], scene.elapsedMs, scene.now),
    );
    const clients = clientsOf(server, session);
    const facts = factsAbout(scene.declared, sessionKey);
    return {
      key: sessionKey,
      server,
      session,
      panes,
      attached: clients.length,
      ...(facts && { declared: declaredAbout(facts) }),
      rememberedPanes: Object.fromEntries(histories.map(({ pane, evidence }) => [evidence.paneId, pane])),
      evidence: [
        ...panes.flatMap((pane) => pane.evidence),
        ...histories.map((history) => history.evidence),
        people(server, session, clients),
        standing(server, session, facts, scene, parts),
        ...common,
      ],
    };
  });
  return { key, server, massDeath: deaths, sessions };
}

// People attached to any session of a group look at the same windows.
function clientsOf(server: PresentServer, session: SessionSighting) {
  if (server.clients.length === 0) return server.clients;
  const group = server.sessions.filter(
    (other) => session.group !== undefined && other.group === session.group,
  );
  const ids = new Set([session, ...group].map((other) => other.sessionId));
  return server.clients.filter((client) => ids.has(client.sessionId));
}

function people(
  server: PresentServer,
  session: SessionSighting,
  clients: PresentServer['clients'],
): Evidence {
  return {
    kind: 'people',
    source: 'people',
    observedAt: server.observedAt,
    clients,
    isThroughGroup: clients.some((client) => client.sessionId !== session.sessionId),
    ...(session.lastAttachedAt !== undefined && { lastAttachedAt: session.lastAttachedAt }),
  };
}

function standing(
  server: PresentServer,
  session: SessionSighting,
  facts: SessionFacts | undefined,
  scene: Scene,
  parts: Parts,
): Evidence {
  const { ownPane } = parts;
  const protectedBy = parts.protectedBy(session.name);
  return {
    kind: 'standing',
    source: 'declared',
    observedAt: scene.now.at,
    isOwnSession:
      ownPane?.serverPid === server.pid && session.panes.some((pane) => pane.paneId === ownPane.paneId),
    ...markedHold(session),
    ...declaredStanding(facts, scene),
    ...(protectedBy !== undefined && { protectedBy }),
  };
}

// What holds for every session of the server alike.
function commonEvidence({ now, memory, table }: Scene, deaths: RememberedServer['massDeath']): Evidence[] {
  const { suspendedMs } = now;
  const common: Evidence[] = [
    { kind: 'clock', source: 'host', observedAt: now.at, suspendedMs, steppedMs: memory.steppedMs },
  ];
  if (deaths) {
    const { dead, of } = deaths;
    common.push({ kind: 'mass-death', source: 'history', observedAt: now.at, dead, of });
  }
  if (!table.isComplete) {
    const text = table.problem ?? 'not all processes can be seen';
    common.push({ kind: 'sensor-unavailable', source: 'process', observedAt: table.observedAt, text });
  }
  return common;
}
