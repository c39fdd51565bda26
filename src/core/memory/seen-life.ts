import type { TimeStamp } from '../text/elapsed.ts';
import { acceptedCompletion, declaredOf } from '../verdict/declared.ts';
import { type Activity, AT_WORK } from '../verdict/verdict.ts';
import { type EndRecord, endOf, endWords, type ProgramEnd } from './ended.ts';
import type { Expected } from './lost.ts';
import type { RememberedWord } from './remember-word.ts';

/** What looks have seen of a session that speaks against an end. Completions are named by when they were declared. */
export interface SeenLife {
  /** Another process was seen in it, and the one that it began with did not live there any more. Kept for good. */
  readonly isOvertaken?: true;
  /** The process that it had begun with by then: waking puts another in its place. Absent in what earlier versions remember. */
  readonly overtakenPid?: number;
  /** The completion after which it was seen at work. Kept for good. */
  readonly workedAfter?: number;
  /** The same, as of the last look alone: the turn that declared it went on, or somebody was closing it. */
  readonly inTurnAfter?: number;
}

/** A session as one look finds it. */
export interface SeenSession {
  readonly at: number;
  readonly awakeMs: number;
  readonly activity: Activity;
  readonly hasAgent: boolean;
  readonly panes: readonly {
    readonly pid: number;
    readonly isDead: boolean;
    readonly word?: RememberedWord;
  }[];
}

/** What is known of a session after a look that found it standing. */
export function followLife(before: SeenLife | undefined, seen: SeenSession, facts: Expected): SeenLife {
  const left = leftBehind(seen, facts);
  // What happens during a close may be its doing.
  const mayPass = facts.closing !== null || isSameTurn(seen);
  const workedAfter = (mayPass ? undefined : left) ?? before?.workedAfter;
  return {
    ...overtaking(before, seen, facts),
    ...(workedAfter !== undefined && { workedAfter }),
    ...(mayPass && left !== undefined && { inTurnAfter: left }),
  };
}

/** Whether looks saw another process in the place of the one that it began with, or that was woken in it last. */
export function isOvertaken(life: SeenLife | undefined, { origin }: Expected): boolean {
  const { overtakenPid } = life ?? {};
  return life?.isOvertaken === true && (overtakenPid === undefined || overtakenPid === origin.pane?.pid);
}

function overtaking(before: SeenLife | undefined, seen: SeenSession, facts: Expected): SeenLife {
  if (before !== undefined && isOvertaken(before, facts)) {
    const { overtakenPid } = before;
    return { isOvertaken: true, ...(overtakenPid !== undefined && { overtakenPid }) };
  }
  const { pane, sleeper } = facts.origin;
  const own = pane?.pid;
  return own !== undefined && isAnother(seen, own, sleeper) ? { isOvertaken: true, overtakenPid: own } : {};
}

/** Whether looks saw it at work after the completion that was accepted. */
export function isLeftBehind(life: SeenLife | undefined, facts: Expected): boolean {
  const completion = acceptedCompletion(declaredOf(facts));
  return completion !== null && [life?.workedAfter, life?.inTurnAfter].includes(completion.at);
}

// No clock is asked: as long as its own program lives it has not ended, whatever is beside it. The panes are seen before the
// ledger is read: the sleeper that its program was woken from may still be among them.
function isAnother({ panes }: SeenSession, own: number, sleeper: number | undefined): boolean {
  const isThere = panes.some(({ pid, isDead }) => pid === own && !isDead);
  return !isThere && panes.some(({ pid }) => pid !== own && pid !== sleeper);
}

/** The accepted completion after which a session is at work now. */
function leftBehind(seen: SeenSession, facts: Expected): number | undefined {
  const completion = acceptedCompletion(declaredOf(facts));
  if (completion === null || !AT_WORK.has(seen.activity)) return undefined;
  return isAfter(seen, completion) ? completion.at : undefined;
}

/** A completion is declared while its turn goes on; the look that `rollcall complete` takes comes this much later at most. */
const SAME_TURN_MS = 2000;

// By the clock that nobody can step, where it was noted.
function isAfter(seen: SeenSession, { at, awakeMs }: TimeStamp): boolean {
  return awakeMs === undefined ? seen.at > at + SAME_TURN_MS : seen.awakeMs > awakeMs + SAME_TURN_MS;
}

// An agent goes on after it has declared: until it was at rest once, that is the rest of the same turn.
function isSameTurn({ hasAgent, panes }: SeenSession): boolean {
  const words = panes.flatMap(({ word }) => word ?? []);
  const isUnspent = ({ restedAt, used }: RememberedWord) => restedAt === undefined && used === undefined;
  return hasAgent && words.length > 0 && words.every(isUnspent);
}

/** How a session ended, by the record of its program; or what else the record tells of it. */
export type OwnEnd = { readonly end: ProgramEnd } | { readonly end: null; readonly text: string };

/** Records tell whole seconds, rounded down. */
const RECORD_GRAIN_MS = 1000;

/**
 * Whether the end of a program was that of its session: it is the process that the session was started with, in this very
 * session, without another pane; and nothing lived there, or was wanted of it, afterwards.
 */
export function ownEnd(record: EndRecord, facts: Expected, life: SeenLife | undefined): OwnEnd {
  const { origin, wantedAt = 0 } = facts;
  const program = `its program ${endWords(record)} before`;
  const panes = record.sessions.get(origin.place.sessionId);
  const own = origin.pane?.pid;
  if (own === undefined || record.pid !== own) {
    return { end: null, text: `another program in its pane ${endWords(record)} before` };
  }
  if (panes === undefined) return { end: null, text: `${program}, in another session` };
  if (panes > 1) return { end: null, text: `${program}, other panes ran on` };
  if (isOvertaken(life, facts)) return { end: null, text: `${program}, another one was seen in it since` };
  if (wantedAt > record.endedAt + RECORD_GRAIN_MS) {
    return { end: null, text: `${program}, and somebody counted on it since` };
  }
  return { end: { ...endOf(record), ...(isLeftBehind(life, facts) && { isOvertaken: true }) } };
}
