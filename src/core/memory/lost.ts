import type { SessionFacts } from '../ledger/current-facts.ts';
import type { HostIdentity, ServerIdentity, SessionIdentity } from '../sight/identity.ts';
import { isSameProcess, whenceOf } from '../sight/identity.ts';
import type { Process, ProcessTable } from '../sight/process.ts';
import type { ServerSighting } from '../sight/sighting.ts';
import { ago } from '../verdict/retention.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { goneVerdict } from './gone.ts';
import type { LostBy } from './lost-by.ts';
import { shownIn } from './moved.ts';

/** A session that should be there: under rollcall's care, and neither closed nor put back since. */
export interface Expected extends SessionFacts {
  readonly origin: NonNullable<SessionFacts['origin']> & { readonly place: SessionIdentity };
}

/** Whether the ledger expects the session to live. */
export function isExpected(facts: SessionFacts | undefined): facts is Expected {
  return facts?.origin?.place != null && facts.closed === null && facts.reopened === null;
}

/** What was seen of the machine at the same moment. */
export interface MachineSeen {
  readonly host: HostIdentity;
  readonly servers: readonly ServerSighting[];
  readonly table: ProcessTable;
}

/**
 * How a session that no server showed is lost; null where that is not proven. A server that failed or was not asked
 * proves nothing, and neither does a socket that leads nowhere while its server still runs.
 */
export function lossOf(expected: Expected, seen: MachineSeen): LostBy | null {
  const { place } = expected.origin;
  const boot = whenceOf(expected, seen.host);
  if (boot === 'elsewhere') return null;
  if (boot === 'earlier') return 'restarted';
  const { server } = place;
  const answers = seen.servers.filter(({ socketPath }) => socketPath === server.socketPath);
  if (answers.length === 0 || answers.some(({ state }) => state === 'failed')) return null;
  for (const one of answers) {
    if (one.state !== 'present' || !isSameProcess(one, server)) continue;
    // Its pane was moved: it goes on under another name.
    return shownIn(expected, one.sessions) ? null : 'missing';
  }
  if (isServerRunning(server, seen.table)) return null;
  return answers.some(({ state }) => state === 'present') ? 'replaced' : 'ended';
}

/** What is said of a lost session. There is nothing to close, so nothing is checked. */
export function lostVerdict(why: string, lastSeenAt: number, at: number): Verdict {
  const text = `${why}; last known ${ago(at - lastSeenAt)}`;
  return goneVerdict('lost', lastSeenAt, { code: 'lost', source: 'tmux', observedAt: at, text });
}

/** When the ledger last spoke of a session. */
export function lastTold({ origin, held, retained, completion, closing }: SessionFacts): number {
  return Math.max(0, ...[origin, held, retained, completion, closing].map((one) => one?.at ?? 0));
}

// Slewing and the grain of start times stay below this; who starts later than the intent did not record it.
const GRAIN_MS = 2000;

/**
 * Whether the process that began a close still lives; a later one with its number did not begin it. One of another pid
 * namespace cannot be seen from here, and may.
 */
export function isClosing(
  { closing }: SessionFacts,
  { bootId, pidNamespace }: HostIdentity,
  { byPid }: ProcessTable,
): boolean {
  if (closing === null || closing.actor.bootId !== bootId) return false;
  const whence = closing.actor.pidNamespace;
  if (whence !== undefined && whence !== pidNamespace) return true;
  const actor = byPid.get(closing.actor.pid);
  return actor !== undefined && isAlive(actor) && actor.startedAt <= closing.at + GRAIN_MS;
}

/**
 * Whether the very process of a server may still live. A table that does not show everything proves no absence, and
 * neither does any of a server whose process was never seen: it may be beyond what is seen from here.
 */
export function isServerRunning(
  { pid, startTicks }: ServerIdentity,
  { byPid, isComplete }: ProcessTable,
): boolean {
  const found = byPid.get(pid);
  if (startTicks === 0) return true;
  if (found === undefined) return !isComplete;
  return isAlive(found) && found.startTicks === startTicks;
}

function isAlive({ state }: Process): boolean {
  return state !== 'Z';
}
