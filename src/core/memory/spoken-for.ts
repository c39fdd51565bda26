import { lineageOf } from '../sight/lineage.ts';
import { beganAt, type Clock } from '../text/elapsed.ts';
import type { Moment } from '../text/moment.ts';
import { acceptedCompletion, type Completion } from '../verdict/declared.ts';
import type { ProcessNote } from '../verdict/evidence.ts';
import type { PaneFacts, VerdictFacts } from '../verdict/facts.ts';
import { hasLaterTurn } from './later-turn.ts';
import type { SpokenPane, StartedProcess } from './spoken-pane.ts';

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
  { agents }: { readonly agents: readonly StartedProcess[] },
  notes: readonly ProcessNote[],
): ProcessNote[] {
  return topAgents(notes).filter((note) => !agents.some((known) => isSame(known, note)));
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
  if (!notes.some((note) => note.relation === 'root' && isSame(own, note))) return ANOTHER;
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

function isSame(one: StartedProcess, other: StartedProcess): boolean {
  return one.pid === other.pid && one.startTicks === other.startTicks;
}

function nameOf({ agentKind, program, pid }: ProcessNote): string {
  return `${agentKind ?? program} (pid ${pid})`;
}
