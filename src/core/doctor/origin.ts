import type { SessionFacts } from '../ledger/current-facts.ts';
import { isClosing, isServerRunning } from '../memory/lost.ts';
import { bootOf, processKey, type SessionIdentity, whenceOf } from '../sight/identity.ts';
import type { PaneMark } from '../sight/marks.ts';
import { keptUntil, leftOf } from '../verdict/retention.ts';
import { type Attribution, type AttributionRule, type KnownProcesses, living, word } from './around.ts';
import type { LedgerFacts, ProcessFacts } from './facts.ts';
import type { ProcessClass } from './finding.ts';
import type { Stranger } from './process-scene.ts';

/** A session that a process says, or is recorded, to come from. */
interface Claim {
  readonly key: string;
  readonly how: string;
  /**
   * A word is none: whoever starts a tmux server or a daemon hands it on to what others start there. It may keep a
   * process, and alone never gives one up.
   */
  readonly isProof: boolean;
}

/** Start times and creation times are whole seconds somewhere on their way. */
const GRAIN_MS = 2000;

/**
 * Whose a process was that no live session has. Every session that it is tied to has to be gone for certain, and one of
 * them has to have been under rollcall's care; whatever lives, is protected or cannot be told keeps it.
 */
export const originRule: AttributionRule = (stranger, facts, around) => {
  const silent = silentServer(stranger, facts, around);
  if (silent !== null) return silent;
  const claims = claimsOf(stranger, facts, around);
  const isProven = claims.some((claim) => claim.isProof);
  const words = claims.map((claim) => judge(claim, isProven, facts, around));
  const deciding =
    words.find(({ class: of }) => of === 'belongs-to-a-live-session') ??
    words.find(({ class: of }) => of === 'unknown') ??
    words.find(({ class: of }) => of === 'foreign') ??
    words[0];
  if (deciding === undefined) return unmanaged(stranger, facts);
  return { ...deciding, evidence: [...new Set(words.flatMap(({ evidence }) => evidence))] };
};

/** The server of its mark runs and says nothing: then its panes may be there. */
function silentServer(
  { process, marks }: Stranger,
  facts: ProcessFacts,
  around: KnownProcesses,
): Attribution | null {
  if (marks?.pane == null) return null;
  const { serverPid, socketPath } = marks.pane;
  const server = facts.table.byPid.get(serverPid);
  const how = `it was started from a pane of the tmux server at ${socketPath}`;
  if (server === undefined) {
    return facts.table.isComplete ? null : word('unknown', `${how}, and not all processes can be seen`);
  }
  const isIt = facts.processes.serverPids.has(serverPid) && server.startTicks <= process.startTicks;
  return isIt && around.answered.get(serverPid) !== server.startTicks
    ? word('unknown', `${how}, which does not answer`)
    : null;
}

export function claimsOf(
  { process, marks }: Stranger,
  facts: ProcessFacts,
  { recorded }: KnownProcesses,
): Claim[] {
  const claims: Claim[] = [];
  const pane = marks?.pane ?? null;
  const marked = pane === null ? undefined : sessionOf(pane, process.startTicks, process.startedAt, facts);
  if (marked !== undefined && pane !== null) {
    const how = `TMUX names session ${pane.sessionId} of server pid ${pane.serverPid}, TMUX_PANE ${pane.paneId}`;
    claims.push({ key: marked.key, how, isProof: true });
  }
  const record = recorded.processes.get(processKey(process));
  if (record !== undefined) {
    const how = `${record.by} has its pid and start mark as that session's`;
    claims.push({ key: record.key, how, isProof: true });
  }
  // A pane's own mark weighs more than these.
  const isFree = (key: string | undefined) => key !== undefined && (pane === null || marked?.key === key);
  const run = marks?.run ? recorded.runs.get(marks.run) : undefined;
  if (run !== undefined && isFree(run)) {
    claims.push({ key: run, how: 'ROLLCALL_RUN names the run of it', isProof: false });
  }
  for (const conversation of marks?.conversations ?? []) {
    const key = recorded.conversations.get(conversation);
    if (key === undefined || !isFree(key)) continue;
    const how = `it was started for conversation ${conversation}, which was held there`;
    claims.push({ key, how, isProof: false });
  }
  return claims.filter(({ key }) => mayHold(key, process.startedAt, facts));
}

/** The session under care that a pane was made in. Server pids come round; the latest that is older is meant. */
function sessionOf(
  { serverPid, sessionId, socketPath }: PaneMark,
  startTicks: number,
  startedAt: number,
  { ledger, roll }: ProcessFacts,
): SessionFacts | undefined {
  // The number alone may be that of a container's server.
  const isServer = (server: SessionIdentity['server']) =>
    server.pid === serverPid && server.socketPath === socketPath;
  const older = [...sessionsIn(ledger).values()].flatMap((session) => {
    const place = session.origin?.place;
    if (place == null || place.sessionId !== sessionId || !isServer(place.server)) return [];
    const { server } = place;
    const isOlder = server.startTicks > 0 && server.startTicks <= startTicks;
    const isMeant = isOlder && bootOf(session.key, roll.host) === 'this' && isSince(place, startedAt);
    return isMeant ? [{ session, startTicks: server.startTicks }] : [];
  });
  return older.sort((a, b) => b.startTicks - a.startTicks)[0]?.session;
}

function sessionsIn(ledger: LedgerFacts): ReadonlyMap<string, SessionFacts> {
  return ledger.state === 'read' ? ledger.sessions : new Map();
}

// A process that is older than a session was not started in it.
function isSince({ createdAtSeconds }: SessionIdentity, startedAt: number): boolean {
  return createdAtSeconds * 1000 <= startedAt + GRAIN_MS;
}

function mayHold(key: string, startedAt: number, { ledger, roll }: ProcessFacts): boolean {
  const place = sessionsIn(ledger).get(key)?.origin?.place;
  return bootOf(key, roll.host) === 'this' && (place == null || isSince(place, startedAt));
}

/** What is to be said where a claim holds. */
function judge(
  { key, how }: Claim,
  isProven: boolean,
  facts: ProcessFacts,
  { byKey, answered }: KnownProcesses,
): Attribution {
  const entry = byKey.get(key);
  if (entry !== undefined && entry.panes.length > 0) return living(entry, how);
  if (facts.ledger.state === 'failed') return untold(facts.ledger, [how]);
  const session = facts.ledger.sessions.get(key);
  const place = session?.origin?.place;
  if (session === undefined || place == null) {
    return word('foreign', 'it comes from a session that was never managed by rollcall', [how]);
  }
  const { name } = session;
  const say = (of: ProcessClass, text: string, ...more: readonly string[]): Attribution => {
    return { class: of, text, evidence: [how, ...more], session: { key, name } };
  };
  if (whenceOf(session, facts.roll.host) === 'elsewhere') {
    const where = 'in another container, whose processes are not seen from here';
    return say('unknown', `its session '${name}' was recorded ${where}`);
  }
  const { server } = place;
  const isAnswered = answered.get(server.pid) === server.startTicks;
  if (!isAnswered && isServerRunning(server, facts.table)) {
    return say('unknown', `the tmux server of its session '${name}' does not answer`);
  }
  if (isClosing(session, facts.roll.host, facts.table)) {
    return say('belongs-to-a-live-session', `session '${name}' is being closed`);
  }
  const keeps = protectionOf(session, facts);
  if (keeps !== null) return say('foreign', keeps);
  if (!isProven) {
    const only = 'only variables that others inherit too say that it comes from';
    return say('unknown', `${only} session '${name}', which is gone`);
  }
  const gone = isAnswered ? 'its server answers, and does not have it' : 'its server has ended';
  return say('ours-orphaned', `it outlived session '${name}'`, `session '${name}' is gone: ${gone}`);
}

/** What keeps the leftovers of a session from being touched: people's own sessions, holds, and retentions that run. */
export function protectionOf(
  { name, held, retained }: SessionFacts,
  { protectedBy, now }: Pick<ProcessFacts, 'protectedBy' | 'now'>,
): string | null {
  const outlived = `it outlived session '${name}', which`;
  const pattern = protectedBy(name);
  if (pattern !== undefined) return `${outlived} the protected pattern ${pattern} leaves to people`;
  if (held !== null) return `${outlived} is held`;
  const until = retained === null ? now.at : keptUntil(retained, now);
  return until > now.at ? `${outlived} is kept on request, ${leftOf(until, now.at)}` : null;
}

// Of a session that nobody took into care, or of a ledger that cannot say.
function unmanaged({ marks }: Stranger, { ledger }: ProcessFacts): Attribution | null {
  if (marks?.pane == null) return null;
  const { sessionId, serverPid, socketPath, paneId } = marks.pane;
  const where = `pane ${paneId} of session ${sessionId} on the tmux server at ${socketPath} (pid ${serverPid})`;
  const evidence = [`it was started from ${where}`];
  return ledger.state === 'read'
    ? word('foreign', 'it outlived a session that rollcall neither started nor adopted', evidence)
    : untold(ledger, evidence);
}

function untold({ text }: { readonly text: string }, evidence: readonly string[]): Attribution {
  return word('unknown', `whose session it was cannot be told: ${text}`, evidence);
}
