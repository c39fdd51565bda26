import { type Departed, departuresFrom, stillTold } from '../../core/memory/departed.ts';
import {
  farewell,
  type Recollection,
  type RememberedServer,
  type RememberedSession,
} from '../../core/memory/recollection.ts';
import { followTurn } from '../../core/memory/remember-word.ts';
import { signsIn } from '../../core/memory/spoken-for.ts';
import { serverKey, sessionKey } from '../../core/sight/identity.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import { factsIn } from './declared-standing.ts';
import type { JudgedSessions } from './judge-all.ts';
import type { Scene, ServerLook, SessionLook } from './look-at-server.ts';
import type { PaneLook } from './read-pane.ts';
import { rememberLives } from './remember-lives.ts';

/** What the next look builds on. A server that did not answer keeps its memory; one that is gone is bid farewell. */
export function rememberAll(
  seen: readonly ServerLook[],
  sighted: readonly ServerSighting[],
  { entries, gone, ...screens }: JudgedSessions & { readonly gone: readonly SessionEntry[] },
  scene: Scene,
): Recollection {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const servers: Record<string, RememberedServer> = {};
  for (const look of seen) servers[look.key] = rememberServer(look, byKey, screens);
  const farewells = [...scene.memory.farewells];
  const departures = seen.flatMap((look) => missingFrom(look, scene));
  for (const [key, server] of Object.entries(scene.memory.servers)) {
    if (servers[key]) continue;
    if (isGone(server, key, sighted, scene)) {
      departures.push(...departuresFrom(server, null, scene.lastLookAt));
      const left = unexpected(server, gone, scene);
      farewells.push(...farewell('server-ended', left, scene.lastLookAt, scene.now));
    } else servers[key] = server;
  }
  const lost = gone.filter(({ lifecycle }) => lifecycle !== 'closed');
  const lastSeen = Object.fromEntries(
    lost.map(({ key, since, serverSeenAt = 0 }) => [key, Math.max(since, serverSeenAt)]),
  );
  const lives = rememberLives(seen, servers, byKey, scene);
  const { left: _, departed: before, ...memory } = scene.memory;
  const departed = stillTold(departures, before, scene.now.at);
  const left = leftBehind(servers, scene);
  return {
    ...memory,
    ...{ servers, farewells, lastSeen, lives },
    ...(departed.length > 0 && { departed }),
    ...(Object.keys(left).length > 0 && { left }),
  };
}

/** What the last look saw on a server that answers, and that it does not have any more. */
function missingFrom({ key, server }: ServerLook, { memory, lastLookAt, host }: Scene): Departed[] {
  const before = memory.servers[key];
  if (before === undefined) return [];
  const panes = server.sessions.flatMap((session) => session.panes);
  const now = {
    sessions: new Set(server.sessions.map((session) => sessionKey(host, { ...session, server }))),
    paneIds: new Set(panes.map((pane) => pane.paneId)),
  };
  return departuresFrom(before, now, lastLookAt);
}

/**
 * What lives on of sessions under care that are gone. Once a session is forgotten nothing else tells whose a process was
 * that cleared its environment.
 */
function leftBehind(
  servers: Readonly<Record<string, RememberedServer>>,
  { memory, table, declared }: Scene,
): NonNullable<Recollection['left']> {
  const facts = factsIn(declared);
  const isCaredFor = (key: string) => declared.state !== 'read' || facts.get(key)?.origin != null;
  const left: Record<string, readonly { pid: number; startTicks: number }[]> = {};
  const keep = (key: string, processes: readonly { pid: number; startTicks: number }[]) => {
    const living = processes
      .filter(({ pid, startTicks }) => table.byPid.get(pid)?.startTicks === startTicks)
      .map(({ pid, startTicks }) => ({ pid, startTicks }));
    if (living.length > 0 && isCaredFor(key)) left[key] = living;
  };
  for (const [key, processes] of Object.entries(memory.left ?? {})) keep(key, processes);
  for (const [server, { sessions }] of Object.entries(memory.servers)) {
    for (const [key, { panes }] of Object.entries(sessions)) {
      if (servers[server]?.sessions[key] !== undefined) continue;
      keep(
        key,
        Object.values(panes).flatMap(({ processes }) => processes),
      );
    }
  }
  return left;
}

// A server ends with its last session; what rollcall itself closed went on purpose, and of what ended it is known how.
function unexpected(
  server: RememberedServer,
  gone: readonly SessionEntry[],
  { declared }: Scene,
): RememberedServer {
  const facts = factsIn(declared);
  const ended = new Set(gone.filter((entry) => entry.ended !== undefined).map(({ key }) => key));
  const isClosed = (key: string) =>
    ended.has(key) || facts.get(key)?.closed != null || facts.get(key)?.closing != null;
  const left = Object.entries(server.sessions).filter(([key]) => !isClosed(key));
  return { ...server, sessions: Object.fromEntries(left) };
}

function rememberServer(
  look: ServerLook,
  entries: ReadonlyMap<string, SessionEntry>,
  screens: ScreenNews,
): RememberedServer {
  const sessions: Record<string, RememberedSession> = {};
  for (const { key, session, panes, rememberedPanes, rememberedPeople } of look.sessions) {
    const entry = entries.get(key);
    if (!entry) continue;
    const { activity, lifecycle, since, agent } = entry;
    sessions[key] = {
      sessionId: session.sessionId,
      name: session.name,
      createdAtSeconds: session.createdAtSeconds,
      verdict: { activity, lifecycle, since },
      ...(agent && { agent: agent.kind }),
      panes: withTurns(
        panes.some((pane) => screens.mute.has(pane) || screens.prompts.has(pane))
          ? withNews(panes, rememberedPanes, screens, look.server.observedAt)
          : rememberedPanes,
        entry,
        look.server.observedAt,
      ),
      people: rememberedPeople,
    };
  }
  const { socketPath, pid, startTicks } = look.server;
  return { socketPath, pid, startTicks, sessions, ...(look.massDeath && { massDeath: look.massDeath }) };
}

// What agents say of their turns is heard after their panes were compared with what they were.
function withTurns(
  remembered: SessionLook['rememberedPanes'],
  { lifecycle, evidence, panes }: SessionEntry,
  now: number,
): SessionLook['rememberedPanes'] {
  const isAny = Object.values(remembered).some(({ word }) => word !== undefined);
  if (!isAny || lifecycle === 'closing') return remembered;
  return Object.fromEntries(
    Object.entries(remembered).map(([id, known]) => {
      if (known.word === undefined) return [id, known];
      const signs = signsIn(evidence, id);
      const isIdle = panes.some(({ paneId, activity }) => paneId === id && activity === 'idle');
      return [id, { ...known, word: followTurn(known.word, signs, isIdle, now) }];
    }),
  );
}

type ScreenNews = Omit<JudgedSessions, 'entries'>;

function withNews(
  panes: readonly PaneLook[],
  remembered: SessionLook['rememberedPanes'],
  { mute, prompts }: ScreenNews,
  muteAt: number,
): SessionLook['rememberedPanes'] {
  const byId = new Map(panes.map((pane) => [pane.sighting.paneId, pane]));
  return Object.fromEntries(
    Object.entries(remembered).map(([id, known]) => {
      const pane = byId.get(id);
      const prompt = pane && prompts.get(pane);
      const isMute = pane !== undefined && mute.has(pane);
      return [id, { ...known, ...(isMute && { muteAt }), ...(prompt && { prompt }) }];
    }),
  );
}

// Gone is only what is proven gone: its socket answers as another server or is exactly absent, and its process has ended.
function isGone(
  server: RememberedServer,
  key: string,
  sighted: readonly ServerSighting[],
  { host, table }: Scene,
): boolean {
  const process = table.byPid.get(server.pid);
  const isRunning = process?.startTicks === server.startTicks && process.state !== 'Z';
  const answer = sighted.find((one) => one.socketPath === server.socketPath);
  // A table that could not be read shows no process, and gives a server that answers another key.
  if (answer?.state === 'failed' || isRunning || !table.isComplete) return false;
  return answer?.state !== 'present' || serverKey(host, answer) !== key;
}
