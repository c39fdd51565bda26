import type { AgentSign } from '../agent/sign.ts';
import { isSameProcess, type ProcessMark } from '../sight/identity.ts';
import { lineageOf } from '../sight/lineage.ts';
import { beganAt, type Clock } from '../text/elapsed.ts';
import type { Moment } from '../text/moment.ts';
import { acceptedCompletion, type Completion } from '../verdict/declared.ts';
import type { AgentSignEvidence, Evidence, ProcessNote } from '../verdict/evidence.ts';
import type { PaneFacts, VerdictFacts } from '../verdict/facts.ts';
import type { SpokenPane } from './spoken-pane.ts';

type Facts = Pick<VerdictFacts, 'standing' | 'panes' | 'now' | 'clock'>;

/** The completion that counts now: it was accepted, and speaks for everything that is in the session. */
export function countingCompletion(facts: Facts): Completion | null {
  const completion = facts.standing ? acceptedCompletion(facts.standing) : null;
  return completion !== null && unspokenIn(facts) === null ? completion : null;
}

/** Why the accepted completion does not speak for the session as it is now; null where it does, or where there is none. */
export function unspokenIn(facts: Facts): string | null {
  const completion = facts.standing ? acceptedCompletion(facts.standing) : null;
  if (completion === null) return null;
  // In a dead pane is nothing that could be meant or not; how it ended is told elsewhere.
  const living = facts.panes.filter(({ pane }) => !pane?.isDead);
  const [why = null] = living.flatMap((pane) => unspoken(completion, pane, facts) ?? []);
  return why;
}

/** Whether the accepted completion speaks for what is in this pane now. */
export function isSpokenFor(facts: Facts, pane: PaneFacts): boolean {
  const completion = facts.standing ? acceptedCompletion(facts.standing) : null;
  return completion !== null && unspoken(completion, pane, facts) === null;
}

/** The agents of a pane that were not there when a completion was said of it, and were started by none of those. */
export function strangersIn(
  { agents }: { readonly agents: readonly ProcessMark[] },
  notes: readonly ProcessNote[],
): ProcessNote[] {
  return topAgents(notes).filter((note) => !agents.some((known) => isSameProcess(known, note)));
}

/** The agents of a pane, without those that another one of them started. */
export function topAgents(notes: readonly ProcessNote[]): ProcessNote[] {
  const lineage = lineageOf(notes);
  return notes.filter(
    (note) => note.role === 'agent' && note.relation !== 'outside' && !lineage.isUnderAgent(note),
  );
}

function unspoken(completion: Completion, pane: PaneFacts, facts: Facts): string | null {
  const { paneId, history } = pane;
  const { speaksFor } = completion;
  if (history?.used !== undefined) return `${paneId}: ${history.used}`;
  if (speaksFor === undefined) return unproven(pane, saidBefore(completion, facts.now, facts.clock));
  const own = speaksFor.find((one) => one.paneId === paneId);
  const why = own === undefined ? 'it was not said of this pane' : newIn(own, pane);
  return why === null ? null : `${paneId}: ${why}`;
}

function newIn(own: SpokenPane, { pane, processes, history, agent, word }: PaneFacts): string | null {
  if (pane?.isDead) return (pane.deadPid ?? own.pid) === own.pid ? null : ANOTHER;
  const notes = processes?.processes ?? [];
  if (!notes.some((note) => note.relation === 'root' && isSameProcess(own, note))) return ANOTHER;
  const [stranger] = strangersIn(own, notes);
  if (stranger) return `${nameOf(stranger)} was not there then`;
  const { conversation = agent?.conversation } = own;
  if (agent?.conversation !== undefined && agent.conversation !== conversation) {
    return 'its agent is in another conversation since';
  }
  const restedAt = history?.restedAt ?? (own.isAtRest ? own.at : undefined);
  if (word === undefined) return null;
  const { decisive, beganAt = 0 } = word;
  return hasLaterTurn([{ ...decisive, beganAt }], { at: own.at, restedAt }) ? NEW_TURN : null;
}

/** What ends a completion, in words. */
export const NEW_TURN = 'a new turn has begun since';
const ANOTHER = 'another program runs in it since, or it cannot be seen';

// Of what an earlier version recorded, only that a process is older than it proves that it was meant.
function unproven({ paneId, pane, processes }: PaneFacts, saidAt: number): string | null {
  if (pane?.isDead) return (pane.lastOutputAt ?? saidAt) <= saidAt ? null : `${paneId}: ${ANOTHER}`;
  const notes = processes?.processes ?? [];
  const root = notes.find((note) => note.relation === 'root');
  if (root === undefined || !isOlder(root, saidAt)) return `${paneId}: ${ANOTHER}`;
  const later = topAgents(notes).find((note) => !isOlder(note, saidAt));
  return later === undefined ? null : `${paneId}: ${nameOf(later)} was not there then`;
}

// The start of a process is told in ticks from a boot time that is rounded.
const START_SLACK_MS = 1000;

function isOlder({ startedAt }: ProcessNote, at: number): boolean {
  return startedAt + START_SLACK_MS <= at;
}

/** When it was said, by the clock that tells the starts of processes; earlier where that is not certain. */
function saidBefore(completion: Completion, now: Moment, clock: Clock | undefined): number {
  if (clock?.steppedMs === 0) return completion.at;
  if (clock === undefined || completion.awakeMs === undefined) return Number.NEGATIVE_INFINITY;
  return beganAt(completion, now, 0) - clock.suspendedMs;
}

function nameOf({ agentKind, program, pid }: ProcessNote): string {
  return `${agentKind ?? program} (pid ${pid})`;
}

/** What the sources of one pane's agent told. */
export function signsIn(evidence: readonly Evidence[], paneId: string): AgentSignEvidence[] {
  return evidence.filter((piece) => piece.kind === 'agent-sign').filter((sign) => sign.paneId === paneId);
}

// A hook, a record and the status of the same end may lie this far apart.
const SAME_EVENT_MS = 2000;

/** A completion of an agent: when it was said, and when the agent was first at rest after that, if it was yet. */
export interface SaidOfAgent {
  readonly at: number;
  readonly restedAt?: number | undefined;
}

/**
 * Whether an agent has begun another turn since a completion. A turn that began after it is another one, however soon,
 * and whether or not a look saw rest between them. Where no source tells the beginning, only an agent that was at rest can
 * show it: one of its sources shows it at work now, or tells of an event that came later.
 */
export function hasLaterTurn(
  signs: readonly Pick<AgentSign, 'turn' | 'isLive' | 'since' | 'beganAt'>[],
  { at, restedAt }: SaidOfAgent,
): boolean {
  return signs.some(({ turn, isLive, since = 0, beganAt = 0 }) => {
    // The time of one event by the clock that the completion was timed with: there is no slack to give.
    if (beganAt > at) return true;
    if (turn === undefined || restedAt === undefined) return false;
    return (turn === 'running' && isLive) || since > restedAt + SAME_EVENT_MS;
  });
}
