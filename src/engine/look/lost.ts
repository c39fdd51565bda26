import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import { endOf } from '../../core/memory/ended.ts';
import { closedVerdict, closingVerdict, endedVerdict } from '../../core/memory/gone.ts';
import {
  type Expected,
  isClosing,
  isExpected,
  lastTold,
  lossOf,
  lostVerdict,
} from '../../core/memory/lost.ts';
import { LOSSES, type LostBy } from '../../core/memory/lost-by.ts';
import { movedTo } from '../../core/memory/moved.ts';
import { ownEnd } from '../../core/memory/seen-life.ts';
import {
  bootOf,
  type HostIdentity,
  type ServerIdentity,
  type SessionIdentity,
  whenceOf,
} from '../../core/sight/identity.ts';
import type { Problem, SessionEntry } from '../../core/sight/roll.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { declaredOf } from '../../core/verdict/declared.ts';
import { ago } from '../../core/verdict/retention.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Ends } from '../../ports/records.ts';
import { factsIn } from './declared-standing.ts';
import type { Scene } from './look-at-server.ts';
import { unseenSession } from './session-entry.ts';

/**
 * Sessions that the ledger expects and that are gone for certain: lost, or ended where it is known how. What was expected
 * before the servers were asked counts: a session that began meanwhile could not be in their answers. And what has been
 * closed meanwhile is not lost.
 */
export function goneEntries(
  servers: readonly ServerSighting[],
  present: readonly SessionEntry[],
  scene: Scene,
  ends: Pick<Ends, 'of'>,
): SessionEntry[] {
  if (scene.expected.size === 0) return [];
  const keys = new Set(present.map(({ key }) => key));
  const now = factsIn(scene.declared);
  const seen = { host: scene.host, table: scene.table, servers };
  return [...scene.expected.values()].flatMap((facts) => {
    if (keys.has(facts.key) || !isExpected(facts)) return [];
    const latest = now.get(facts.key);
    if (!isExpected(latest) || isClosing(latest, scene.host, scene.table)) return [];
    const lostBy = lossOf(latest, seen);
    if (lostBy === null) return [];
    const missed = latest.missing && { missedAt: latest.missing.at };
    return [{ ...goneEntry(latest, lostBy, scene, ends), lostBy, ...missed }];
  });
}

/** Sessions in care whose pane was moved into another one, so that whoever looks for them finds them. */
export function movedProblems(present: readonly SessionEntry[], scene: Scene): Problem[] {
  const keys = new Set(present.map(({ key }) => key));
  return [...factsIn(scene.declared).values()].flatMap((facts) => {
    const moved = isExpected(facts) && !keys.has(facts.key) ? movedTo(facts, present) : null;
    if (moved === null) return [];
    const { name, server } = moved.entry;
    const text = `session '${facts.name}' is not there, but ${moved.text}: session '${name}'`;
    return [{ code: 'session-moved', text: visible(text), hint: MOVED, socketPath: server.socketPath }];
  });
}

const MOVED =
  'it is neither lost nor reopened while its pane is there; what was declared of it protects that session';

/** Sessions of this machine that were closed, as far as the facts reach back, or are gone while somebody closes them. */
export function closedEntries(present: readonly SessionEntry[], scene: Scene): SessionEntry[] {
  const { declared, now, host, table } = scene;
  const keys = new Set(present.map(({ key }) => key));
  return [...factsIn(declared).values()].flatMap((facts) => {
    if (keys.has(facts.key) || bootOf(facts.key, host) === 'elsewhere') return [];
    const { closed, closing, origin, ended } = facts;
    const place = closed?.place ?? closing?.place ?? origin?.place ?? null;
    if (place === null) return [];
    if (closed === null) {
      const isUnderWay = closing !== null && isClosing(facts, host, table);
      return isUnderWay ? [entryOf(facts, place, closingVerdict(closing.at, now.at), now.at)] : [];
    }
    const entry = entryOf(facts, place, closedVerdict(closed, facts, now.at), now.at);
    return [{ ...entry, receipt: closed.receipt, ...(ended && { ended: endOf(ended) }) }];
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

function goneEntry(facts: Expected, lostBy: LostBy, scene: Scene, ends: Pick<Ends, 'of'>): SessionEntry {
  const { place, run } = facts.origin;
  const { now } = scene;
  const record = run === undefined ? null : ends.of(run);
  const told = facts.ended
    ? { end: endOf(facts.ended) }
    : record && ownEnd(record, facts, scene.lives[facts.key]);
  if (told?.end) {
    const { end } = told;
    const entry = entryOf(facts, place, endedVerdict(end, declaredOf(facts), now), now.at);
    return { ...entry, ended: end, serverSeenAt: lastSeenOn(place.server, scene) };
  }
  // What became of it after that nobody has seen.
  const why = whyLost(facts, lostBy, now.at);
  const before = told === null ? why : `${why}; ${told.text}`;
  const since = scene.lastSeenAt(facts.key) ?? lastTold(facts);
  return entryOf(facts, place, lostVerdict(before, since, now.at), now.at);
}

function lastSeenOn({ pid, startTicks }: ServerIdentity, { expected, lastSeenAt }: Scene): number {
  const seen = [...expected.values()].map(({ key, origin }) => {
    const server = origin?.place?.server;
    return server?.pid === pid && server.startTicks === startTicks ? lastSeenAt(key) : undefined;
  });
  return Math.max(0, ...seen.map((at) => at ?? 0));
}

function whyLost({ missing }: Expected, lostBy: LostBy, at: number): string {
  const why = LOSSES[lostBy];
  if (missing === undefined || lostBy === 'missing') return why;
  return `${why}; it was gone before that, seen ${ago(at - missing.at)}`;
}

function entryOf(facts: SessionFacts, place: SessionIdentity, verdict: Verdict, at: number): SessionEntry {
  const declared = declaredOf(facts);
  const { panes: _, ...judged } = verdict;
  return unseenSession({ ...place, key: facts.key, name: facts.name }, judged, declared, {
    ...declared,
    ...{ kind: 'standing', source: 'declared', observedAt: at },
    ...{ isOwnSession: false, isManaged: facts.origin !== null },
  });
}
