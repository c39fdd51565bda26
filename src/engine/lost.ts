import type { Evidence } from '../core/evidence.ts';
import { type HostIdentity, whenceOf } from '../core/identity.ts';
import type { SessionFacts } from '../core/ledger/current-facts.ts';
import { type Expected, isClosing, isExpected, lastTold, lossOf, lostVerdict } from '../core/lost.ts';
import type { SessionEntry } from '../core/roll.ts';
import type { ServerSighting } from '../core/sighting.ts';
import { claimsIn, declaredAbout, factsIn } from './declared-standing.ts';
import type { Scene } from './look-at-server.ts';
import { labelOf } from './session-entry.ts';

/**
 * Sessions that the ledger expects and that are gone for certain. What was expected before the servers were asked counts:
 * a session that began meanwhile could not be in their answers. And what has been closed meanwhile is not lost.
 */
export function lostEntries(
  servers: readonly ServerSighting[],
  present: readonly SessionEntry[],
  scene: Scene,
): SessionEntry[] {
  if (scene.expected.size === 0) return [];
  const keys = new Set(present.map(({ key }) => key));
  const now = factsIn(scene.declared);
  const seen = { host: scene.host, table: scene.table, servers };
  return [...scene.expected.values()].flatMap((facts) => {
    if (keys.has(facts.key) || !isExpected(facts)) return [];
    const latest = now.get(facts.key);
    if (!isExpected(latest) || isClosing(latest, scene.host, scene.table)) return [];
    const why = lossOf(latest, seen);
    return why === null ? [] : [entryOf(latest, why, scene)];
  });
}

/** Sockets on which the ledger expects a server, so that its absence is noticed. */
export function expectedSockets(
  facts: ReadonlyMap<string, SessionFacts>,
  host: HostIdentity,
): ReadonlySet<string> {
  const sockets = new Set<string>();
  for (const one of facts.values()) {
    if (isExpected(one) && whenceOf(one, host) === 'this') sockets.add(one.origin.place.server.socketPath);
  }
  return sockets;
}

function entryOf(facts: Expected, why: string, { now, lastSeenAt }: Scene): SessionEntry {
  const { server, sessionId, createdAtSeconds } = facts.origin.place;
  const declared = declaredAbout(facts);
  const evidence: Evidence = {
    ...declared,
    ...{ kind: 'standing', source: 'declared', observedAt: now.at },
    ...{ isOwnSession: false, isManaged: true },
  };
  const { panes: _, ...verdict } = lostVerdict(why, lastSeenAt(facts.key) ?? lastTold(facts), now.at);
  return {
    ...verdict,
    key: facts.key,
    name: facts.name,
    sessionId,
    createdAt: createdAtSeconds * 1000,
    server: { ...server, label: labelOf(server.socketPath), version: null },
    ...claimsIn(declared),
    attached: 0,
    memoryBytes: null,
    panes: [],
    evidence: [evidence],
  };
}
