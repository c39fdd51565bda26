import type { Breaker } from '../reaper/standing.ts';
import { offeredIn, offerText } from '../restore/offer.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { Round } from '../supervision/round.ts';
import { acceptedCompletion } from '../verdict/declared.ts';
import type { WaitingFor } from '../verdict/verdict.ts';
import { NOTHING, type Notification, type NotifiedSession, shortName, shortText } from './notification.ts';
import type { NotifyEvent } from './rule.ts';

/** Something that is so, or that has just happened, and that a rule may be about. */
export interface Condition {
  readonly event: NotifyEvent;
  /** With the event, what it is: a session, a tier, a moment. */
  readonly key: string;
  /** It lasts; otherwise it happened once. */
  readonly isLasting: boolean;
  /** Of the session, as patterns are matched against it. */
  readonly name: string | null;
  tell(): Notification;
}

/** What a round saw, as far as notifications need it. */
export type NotifiedRound = Pick<Round, 'now' | 'roll' | 'pressure' | 'reaper' | 'changes'>;

/** Everything in a round that a rule may be about. */
export function conditionsOf(round: NotifiedRound): Condition[] {
  return [
    ...round.roll.sessions.flatMap((entry) => sessionConditions(entry, round)),
    pressureCondition(round),
    ...breakerConditions(round),
    ...reapedConditions(round),
    ...failedConditions(round),
    ...lostConditions(round),
  ];
}

/** Whether a session was seen so well that what is not so of it has ended. Doubt ends nothing. */
export function isCertain({ activity, lifecycle }: SessionEntry): boolean {
  return activity !== 'unknown' && lifecycle !== 'unknown';
}

// What passes by itself is nothing that a person has to do.
const WAITS: { readonly [W in WaitingFor]: string | null } = {
  permission: 'waits for a permission',
  question: 'waits for an answer',
  plan: 'waits for its plan to be approved',
  trust: 'waits for its folder to be trusted',
  'hook-review': 'waits for its hooks to be reviewed',
  login: 'waits for a login',
  limit: 'has reached a limit',
  retry: null,
  compaction: null,
  error: 'stands at an error',
  input: 'waits for input',
};

function sessionConditions(entry: SessionEntry, round: NotifiedRound): Condition[] {
  const { key, name } = entry;
  const lasting = (event: NotifyEvent, words: string): Condition => {
    const tell = () => notificationOf(event, entry, words, round);
    return { event, key, isLasting: true, name, tell };
  };
  const made: Condition[] = [];
  const wait = entry.activity === 'waiting' ? WAITS[entry.waitingFor ?? 'input'] : null;
  if (wait !== null) made.push(lasting('waiting', wait));
  if (entry.lifecycle === 'lost') made.push(lasting('lost', 'is lost'));
  if (entry.lifecycle === 'stale') made.push(lasting('stale', 'is stale'));
  if (isComplete(entry)) made.push(lasting('completed', 'is complete'));
  return made;
}

// Kept on request is not complete, and neither is what is safe to close without anybody's word.
function isComplete({ lifecycle, evidence, reasons }: SessionEntry): boolean {
  if (lifecycle !== 'completed-retained' && lifecycle !== 'safe-to-close') return false;
  if (reasons.some(({ code }) => code === 'completion-over')) return false;
  return evidence.some((one) => one.kind === 'standing' && acceptedCompletion(one) !== null);
}

function pressureCondition(round: NotifiedRound): Condition {
  const { tier, reason, since } = round.pressure;
  const title = `memory pressure is ${tier}${tier === 'normal' ? ' again' : ''}`;
  const tell = () => ({ ...plain('pressure', title, reason.text, round), since, tier });
  return { event: 'pressure', key: tier, isLasting: true, name: null, tell };
}

function breakerConditions(round: NotifiedRound): Condition[] {
  const { breaker } = round.reaper;
  if (breaker === null) return [];
  const tell = () => happened('breaker-tripped', 'the reaper fell back to shadow', breaker, round);
  const name = breaker.session?.name ?? null;
  return [{ event: 'breaker-tripped', key: String(breaker.at), isLasting: true, name, tell }];
}

function reapedConditions(round: NotifiedRound): Condition[] {
  return round.changes.flatMap((change): Condition[] => {
    if (change.kind !== 'reaper' || change.event.kind !== 'closed') return [];
    const { session, at, tier } = change.event;
    if (session === null) return [];
    const title = `the reaper freed the memory of ${shortName(session.name)}`;
    const tell = () => ({ ...happened('reaped', title, change.event, round), tier });
    return [{ event: 'reaped', key: `${session.key} ${at}`, isLasting: false, name: session.name, tell }];
  });
}

// The reaper's own failures are told by its breaker.
function failedConditions(round: NotifiedRound): Condition[] {
  return round.changes.flatMap((change): Condition[] => {
    if (change.kind !== 'settle' || change.event.kind !== 'failed') return [];
    const { event } = change;
    const { session } = event;
    const title = `${shortName(session.name)} is complete and could not be closed`;
    const tell = () => happened('close-failed', title, event, round);
    // Every further try of the same session is the same condition.
    return [{ event: 'close-failed', key: session.key, isLasting: false, name: session.name, tell }];
  });
}

// One word for all of them: each by itself is told as `lost`. The next crash is another condition.
function lostConditions(round: NotifiedRound): Condition[] {
  const lost = offeredIn(round.roll.sessions);
  if (lost.length === 0) return [];
  const since = Math.max(...lost.map((entry) => entry.since));
  const names = lost.map(({ name }) => shortName(name)).join(', ');
  const tell = () => ({ ...plain('servers-lost', offerText(lost), names, round), since });
  return [{ event: 'servers-lost', key: String(since), isLasting: true, name: null, tell }];
}

function notificationOf(
  event: NotifyEvent,
  entry: SessionEntry,
  words: string,
  round: NotifiedRound,
): Notification {
  const told = plain(event, `${shortName(entry.name)} ${words}`, entry.reasons[0]?.text ?? '', round);
  return { ...told, since: entry.since, session: sessionOf(entry), waitingFor: entry.waitingFor };
}

// What was done to one session, at one moment.
function happened(
  event: NotifyEvent,
  title: string,
  { at: since, text, session }: Pick<Breaker, 'at' | 'text' | 'session'>,
  round: NotifiedRound,
): Notification {
  return { ...plain(event, title, text, round), since, session: session && noteOf(session, round) };
}

function plain(event: NotifyEvent, title: string, text: string, round: NotifiedRound): Notification {
  const { now, roll } = round;
  return { ...NOTHING, event, at: now.at, host: shortName(roll.host.name), title, text: shortText(text) };
}

function noteOf({ key, name }: { key: string; name: string }, { roll }: NotifiedRound): NotifiedSession {
  const entry = roll.sessions.find((one) => one.key === key);
  if (entry !== undefined) return sessionOf(entry);
  return { key, name: shortName(name), server: null, agent: null, role: null, task: null };
}

function sessionOf({ key, name, server, agent, role, task }: SessionEntry): NotifiedSession {
  return {
    key,
    name: shortName(name),
    server: shortName(server.label),
    agent: agent && shortName(agent.kind),
    role: role && shortName(role),
    task: task && shortName(task),
  };
}
