import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import { isClosing } from '../../core/memory/lost.ts';
import { massDeath } from '../../core/memory/mass-death.ts';
import { guestHold, ownersOn } from '../../core/memory/moved.ts';
import type { Recollection, RememberedPane, RememberedServer } from '../../core/memory/recollection.ts';
import { type PaneReading, rememberPane } from '../../core/memory/remember-pane.ts';
import type { RememberedPeople } from '../../core/memory/remember-people.ts';
import { readWord } from '../../core/memory/remember-word.ts';
import type { SeenLife } from '../../core/memory/seen-life.ts';
import { type HostIdentity, isProcessSeen, serverKey, sessionKeyOn } from '../../core/sight/identity.ts';
import type { ProcessIndex } from '../../core/sight/pane-processes.ts';
import type { ProcessTable } from '../../core/sight/process.ts';
import type { PaneSighting, PresentServer, SessionSighting } from '../../core/sight/sighting.ts';
import { steppedSince } from '../../core/text/elapsed.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { Previous } from '../../core/verdict/classify.ts';
import { acceptedCompletion, type Declared, declaredOf } from '../../core/verdict/declared.ts';
import type { Evidence, PeopleEvidence, StandingEvidence } from '../../core/verdict/evidence.ts';
import type { DeclaredReading } from '../../ports/declared-facts.ts';
import { declaredStanding, factsAbout, factsIn, markedHold, undeclared } from './declared-standing.ts';
import { type MarkedProcesses, markKey } from './marked-processes.ts';
import type { Parts, Settles } from './parts.ts';
import { holdsOwn, peopleIn } from './people-in.ts';
import type { ProcessReader } from './process-reader.ts';
import { type PaneLook, readPane, sleepIn, withSleeper } from './read-pane.ts';

/** One session with everything the cheap sensors have on it, before the verdict. */
export interface SessionLook {
  readonly key: string;
  readonly server: PresentServer;
  readonly session: SessionSighting;
  readonly panes: readonly PaneLook[];
  readonly evidence: readonly Evidence[];
  /** What the next look will compare its panes with. */
  readonly rememberedPanes: Readonly<Record<string, RememberedPane>>;
  readonly rememberedPeople: RememberedPeople;
  /** What the last look made of it. */
  readonly before?: Previous;
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
  /** Whether a daemon closes by itself what is due on a server; known where something may become due. */
  readonly settles?: Settles;
  /** When earlier looks last saw a session that is gone. */
  lastSeenAt(key: string): number | undefined;
  /** What they saw of the sessions that the ledger expects, by key, wherever they looked from. */
  readonly lives: Readonly<Record<string, SeenLife>>;
}

/** Reads all sessions of one server. */
export function lookAtServer(server: PresentServer, scene: Scene, parts: Parts): ServerLook {
  const key = serverKey(scene.host, server);
  const before = scene.memory.servers[key];
  const read = (
    pane: PaneSighting,
    earlier: RememberedPane | undefined,
    facts: SessionFacts | undefined,
  ): PaneLook => {
    const { pid, isDead, paneId } = pane;
    const marked = scene.marked.get(markKey(server.pid, paneId)) ?? [];
    const found = scene.reader({ pid, isDead, server }, marked);
    const sleep = facts?.asleep ? sleepIn(facts, pane, found) : null;
    const processes = facts && sleep ? withSleeper(found, facts) : found;
    // Of a server elsewhere that nothing is seen proves no absence either.
    const isAllSeen = scene.table.isComplete && isProcessSeen(server);
    const isSeen = isAllSeen || processes.readings.length > 0;
    const processesAt = isSeen ? scene.table.observedAt : null;
    const seen = { tmuxAt: server.observedAt, processesAt, earlierCwd: earlier?.cwd, sleep };
    return readPane(pane, seen, processes, parts);
  };
  const isOwn = holdsOwn(scene.table, parts.ownPid);
  const alive = server.sessions.flatMap((session) => session.panes).filter((pane) => !pane.isDead);
  const aliveIds = new Set(alive.map((pane) => pane.paneId));
  const deaths = massDeath(before, aliveIds, scene.now, parts.policy.exitedAfterMs);
  const common = [...commonEvidence(server, scene, deaths), ...undeclared(scene.declared, scene.now.at)];
  const owners = ownersOn(server, factsIn(scene.declared).values());
  const sessions = server.sessions.map((session) => {
    const sessionKey = sessionKeyOn(key, session);
    const remembered = before?.sessions[sessionKey];
    const earlier = remembered?.panes;
    const facts = factsAbout(scene.declared, sessionKey);
    const panes = session.panes.map((pane) => read(pane, earlier?.[pane.paneId], facts));
    const present = peopleIn(server, session, remembered?.people, scene.now);
    const histories = panes.map((pane) => {
      const reading = withWord(pane, facts, present.evidence, scene);
      return rememberPane(reading, earlier?.[reading.paneId], scene.elapsedMs, scene.now);
    });
    return {
      key: sessionKey,
      server,
      session,
      panes,
      ...(remembered && { before: remembered.verdict }),
      attached: present.evidence.clients.length,
      ...(facts && { declared: declaredOf(facts) }),
      rememberedPanes: Object.fromEntries(histories.map(({ pane, evidence }) => [evidence.paneId, pane])),
      rememberedPeople: present.remembered,
      evidence: [
        ...panes.flatMap((pane) => pane.evidence),
        ...histories.map((history) => history.evidence),
        present.evidence,
        {
          ...guestHold(sessionKey, session, owners, scene.now),
          ...standing(session, facts, isOwnPane(server, session, parts) || panes.some(isOwn), scene, parts),
          ...inProject(panes, parts),
          ...(scene.settles?.(server.socketPath) && { isSettled: true as const }),
        },
        ...common,
      ],
    };
  });
  return { key, server, massDeath: deaths, sessions };
}

// A completion is followed in each pane that it speaks for: what is done there afterwards ends it.
function withWord(
  { reading, processes }: PaneLook,
  facts: SessionFacts | undefined,
  people: PeopleEvidence,
  { host, table }: Scene,
): PaneReading {
  const completion = facts && acceptedCompletion(declaredOf(facts));
  if (!completion) return reading;
  const { paneId } = reading;
  const word = readWord(completion, { paneId, processes }, people, isClosing(facts, host, table));
  return word ? { ...reading, word } : reading;
}

// What the environment says is believed too: a process that left everything else behind may still have been started there.
function isOwnPane(server: PresentServer, session: SessionSighting, { ownPane }: Parts): boolean {
  return ownPane?.serverPid === server.pid && session.panes.some(({ paneId }) => paneId === ownPane.paneId);
}

function standing(
  session: SessionSighting,
  facts: SessionFacts | undefined,
  isOwnSession: boolean,
  scene: Scene,
  parts: Parts,
): StandingEvidence {
  const protectedBy = parts.protectedBy(session.name);
  return {
    kind: 'standing',
    source: 'declared',
    observedAt: scene.now.at,
    isOwnSession,
    ...markedHold(session),
    ...declaredStanding(facts, scene),
    ...(protectedBy !== undefined && { protectedBy }),
  };
}

// Where its panes work now and where they were started: a program that changed its folder is still the project's.
function inProject(panes: readonly PaneLook[], parts: Parts): Pick<StandingEvidence, 'brokenProject'> {
  const folders = panes.flatMap(({ cwd, sighting }) => [
    cwd,
    ...(sighting.startPath ? [sighting.startPath] : []),
  ]);
  const brokenProject = parts.protectedIn(folders);
  return brokenProject === undefined ? {} : { brokenProject };
}

// What holds for every session of the server alike.
function commonEvidence(
  server: PresentServer,
  { now, memory, table }: Scene,
  deaths: RememberedServer['massDeath'],
): Evidence[] {
  const { suspendedMs } = now;
  const ownStepMs = steppedSince(server.startedAt, table.byPid.get(server.pid)?.startedAt);
  const steppedMs = Math.max(memory.steppedMs, ownStepMs);
  const common: Evidence[] = [{ kind: 'clock', source: 'host', observedAt: now.at, suspendedMs, steppedMs }];
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
