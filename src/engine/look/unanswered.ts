import { isExpected, isServerRunning } from '../../core/memory/lost.ts';
import type { RememberedServer } from '../../core/memory/recollection.ts';
import { type SessionIdentity, sessionKey, whenceOf } from '../../core/sight/identity.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import { classify, type Previous } from '../../core/verdict/classify.ts';
import { declaredOf } from '../../core/verdict/declared.ts';
import type { Evidence } from '../../core/verdict/evidence.ts';
import { factsIn } from './declared-standing.ts';
import type { Scene } from './look-at-server.ts';
import type { Parts } from './parts.ts';
import { unseenSession } from './session-entry.ts';

type FailedServer = Extract<ServerSighting, { state: 'failed' }>;

interface Known extends SessionIdentity {
  readonly name: string;
  readonly verdict?: Previous;
}

/**
 * Sessions of servers that gave no answer. A failed query is not absence: they stay on the roll, as the last look knew
 * them, as the ledger expects them or as the process table shows them, and nothing is known of them.
 */
export function unansweredEntries(
  servers: readonly ServerSighting[],
  scene: Scene,
  parts: Parts,
): SessionEntry[] {
  return servers.flatMap((server) => {
    if (server.state !== 'failed') return [];
    const remembered = Object.values(scene.memory.servers).find(
      ({ socketPath, pid }) =>
        socketPath === server.socketPath && (server.pid === undefined || pid === server.pid),
    );
    const named = [...(remembered ? rememberedOn(remembered) : []), ...expectedOn(server, scene)];
    const known = new Map(named.map((session) => [sessionKey(scene.host, session), session]));
    if (!remembered) {
      const ids = new Set(named.map(({ sessionId }) => sessionId));
      for (const session of sessionNumbers(server, scene, parts)) {
        if (!ids.has(session.sessionId)) known.set(sessionKey(scene.host, session), session);
      }
    }
    return [...known].map(([key, session]) => entryOf(key, session, server, scene, parts));
  });
}

function rememberedOn({ sessions, ...server }: RememberedServer): Known[] {
  return Object.values(sessions).map((session) => ({ ...session, server }));
}

// Of the server that fails now; an earlier one on the same socket has ended, and what it had cannot be asked for here.
function expectedOn({ socketPath, pid }: FailedServer, { declared, host, table }: Scene): Known[] {
  return [...factsIn(declared).values()].flatMap((facts) => {
    if (!isExpected(facts) || whenceOf(facts, host) !== 'this') return [];
    const { place } = facts.origin;
    const { server } = place;
    const isMeant = pid === undefined ? isServerRunning(server, table) : server.pid === pid;
    return server.socketPath === socketPath && isMeant ? [{ ...place, name: facts.name }] : [];
  });
}

// Every pane's program was started with TMUX=socket,server pid,session number.
function sessionNumbers(server: FailedServer, { index }: Scene, parts: Parts): Known[] {
  if (server.pid === undefined) return [];
  const children = index.byParent.get(server.pid) ?? [];
  const numbers = [...parts.processes.markers(children).values()].flatMap((marks) => {
    const [number, pid] = (marks.tmux ?? '').split(',').reverse();
    return Number(pid) === server.pid ? [Number(number)] : [];
  });
  const distinct = [...new Set(numbers)].sort((a, b) => a - b);
  const { socketPath, pid, startTicks = 0 } = server;
  const identity = { server: { socketPath, pid, startTicks }, createdAtSeconds: 0 };
  return distinct.map((number) => ({ ...identity, sessionId: `$${number}`, name: `$${number}` }));
}

function entryOf(
  key: string,
  known: Known,
  { observedAt, text }: FailedServer,
  scene: Scene,
  parts: Parts,
): SessionEntry {
  const facts = factsIn(scene.declared).get(key);
  const evidence: Evidence = { kind: 'sensor-unavailable', source: 'tmux', observedAt, text };
  const verdict = classify([evidence], scene.now, parts.policy, known.verdict);
  // Worked out when asked for, so they are not copied with the rest.
  const { checks, blockers } = verdict;
  const declared = facts ? declaredOf(facts) : {};
  return unseenSession({ ...known, key }, { ...verdict, checks, blockers }, declared, evidence);
}
