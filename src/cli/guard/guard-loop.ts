import { deathOfSession } from '../../core/guard/gone.ts';
import type { Departed } from '../../core/memory/departed.ts';
import type { ServerIdentity } from '../../core/sight/identity.ts';
import { identityOf, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import { silentServers } from '../../core/sight/silent-servers.ts';
import { Failure } from '../../operations/failure.ts';
import { requireServers, requireTmux } from '../../operations/look-for.ts';
import { pause } from '../../operations/pause.ts';
import { isNamedBy, sessionsMeant } from '../../operations/select-session.ts';
import { ambiguous, notFound, sessionNamed } from '../../operations/session-named.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { handlesOf, type Resolved } from './gone.ts';
import { panesNamed } from './panes.ts';

/** What the user named: a session by any of its handles, or panes. */
export type GuardTarget =
  | { readonly kind: 'session'; readonly word: string; readonly scope: 'session' | 'every-pane' }
  | { readonly kind: 'panes'; readonly paneIds: readonly string[] };

interface GuardRequest {
  readonly servers: readonly string[];
  readonly target: GuardTarget;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Whether the very process of a server has ended. */
  readonly hasEnded: (server: ServerIdentity) => boolean;
  onDoubt(text: string): void;
}

const RETRY_MS = 250;

/**
 * Resolves words exactly; from then on only identities count. While a server that may hold them gives no answer, it is
 * asked again until the time is up. Null when the signal came first.
 */
export async function resolveGuarded(
  surroundings: Surroundings,
  request: GuardRequest,
): Promise<Resolved | null> {
  const endsAt = performance.now() + request.withinMs;
  let isDoubted = false;
  for (;;) {
    const beganAt = performance.now();
    const roll = await surroundings.look({
      withDeparted: true,
      ...(request.servers.length > 0 && { servers: request.servers }),
    });
    if (request.signal.aborted) return null;
    try {
      return resolveIn(roll, request);
    } catch (error) {
      const mayAnswer = error instanceof Failure && error.code === 'failed' && silentServers(roll).length > 0;
      // A server that hangs takes as long the next time.
      const doneAt = 2 * performance.now() - beganAt + RETRY_MS;
      if (!mayAnswer || doneAt >= endsAt) throw error;
      if (!isDoubted) request.onDoubt([error.message, ...error.details].join(': '));
      isDoubted = true;
    }
    await pause(RETRY_MS, request.signal);
  }
}

function resolveIn(roll: Roll, { target, servers, hasEnded }: GuardRequest): Resolved {
  requireTmux(roll);
  if (target.kind === 'panes') return panesNamed({ ...roll, hasEnded }, target.paneIds, servers);
  const meant = sessionsMeant(roll.sessions, target.word);
  const dead = deadNamed(roll, target.word, meant);
  if (dead !== null) {
    const death = deathOfSession(dead, { ...roll, hasEnded });
    return { state: 'dead', session: handlesOf(dead), name: dead.name, death };
  }
  if (meant.length === 0) requireServers(roll, servers);
  const entry = sessionNamed(roll, target.word);
  const panes = entry.panes.map(({ paneId, pid }) => ({ paneId, pid }));
  if (panes.length === 0) {
    throw new Failure('failed', `cannot tell whether session '${entry.name}' lives`, {
      details: entry.reasons.slice(0, 1).map((reason) => reason.text),
      hint: 'nothing was called dead; rollcall explain tells more',
    });
  }
  const guarded = { ...identityOf(entry), name: entry.name, panes, scope: target.scope };
  return { state: 'alive', session: entry, name: entry.name, guarded };
}

/**
 * The session that a word names, if it is gone: it is on the roll without panes although its server is not silent, or
 * nobody has the word now and an earlier look or the ledger knows it. Of several generations on one server the last one.
 * None is dead by its name while a server gives no answer that may have another one of that name.
 */
function deadNamed(roll: Roll, word: string, meant: readonly SessionEntry[]): Departed | null {
  const silent = silentServers(roll);
  const departed = roll.departed ?? [];
  if (meant.some(({ panes, server }) => panes.length > 0 || silent.includes(server.socketPath))) return null;
  const lost = meant.map((entry) => departureOf(entry, departed));
  const sessions = departed.filter(({ isPanesOnly }) => !isPanesOnly);
  const known = lost.length > 0 ? lost : sessions.filter((one) => isNamedBy(handlesOf(one), word));
  if (known.some((one) => silent.some((socketPath) => isNamesakeOn(socketPath, one, word)))) {
    throw notFound(roll, word, [], ONE_MAY_LIVE);
  }
  const [last, ...others] = [...known].sort((a, b) => b.createdAtSeconds - a.createdAtSeconds);
  if (last === undefined) return null;
  const isOnOne = others.every(({ server }) => server.socketPath === last.server.socketPath);
  if (!isOnOne) throw ambiguous(word, known.map(handlesOf));
  return last;
}

const ONE_MAY_LIVE =
  'nothing was called dead: one may live where no answer came; name another server with --server, or use the key';

/** Whether the word would name one on that server too, as it does a worker that was started again; a key never does. */
function isNamesakeOn(socketPath: string, dead: Departed, word: string): boolean {
  return isNamedBy(handlesOf({ ...dead, key: '', server: { ...dead.server, socketPath } }), word);
}

// The ledger expects it, and knows no panes; the look that saw it last may.
function departureOf(entry: SessionEntry, departed: readonly Departed[]): Departed {
  const seen = departed.find(({ key, isPanesOnly }) => key === entry.key && !isPanesOnly);
  return {
    ...identityOf(entry),
    ...{ key: entry.key, name: entry.name, isPanesOnly: false },
    lastSeenAt: entry.since,
    panes: seen?.panes ?? [],
    ...(seen?.closed && { closed: seen.closed }),
  };
}
