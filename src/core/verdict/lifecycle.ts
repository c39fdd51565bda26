import type { Judged } from '../checks/check.ts';
import { hasSleeping, neededRestMs } from '../checks/rested.ts';
import { deathsIn, seenNow } from '../checks/seen-now.ts';
import { unfinishedWork } from '../gate/unfinished.ts';
import { refusedIn } from '../memory/held-up.ts';
import { countingCompletion, unspokenIn } from '../memory/spoken-for.ts';
import { spoken } from '../text/duration.ts';
import type { Checklist } from './checklist.ts';
import { acceptedCompletion, openGates, refusedCompletion } from './declared.ts';
import type { VerdictFacts } from './facts.ts';
import { protectionsOf } from './protections.ts';
import { ago, because, type Retention, retentionOf, roleOf } from './retention.ts';
import { AT_WORK, type Check, type Lifecycle, type Reason } from './verdict.ts';
import { isVouched } from './vouched.ts';

/** What a supervisor may do, and the reason for it where the activity alone does not say it. */
export interface LifecycleJudgement {
  readonly lifecycle: Lifecycle;
  readonly reason: Reason | null;
  /** Only for what is kept now, and for some known time. */
  readonly retainedUntil: number | null;
}

/** From activity, rest and checklist to the lifecycle. Doubt is `unknown`, and nothing but a full checklist is closable. */
export function lifecycleOf(judged: Judged, checklist: Pick<Checklist, 'checks'>): LifecycleJudgement {
  const { facts, activity, restMs } = judged;
  const { now, standing } = facts;
  const say = (lifecycle: Lifecycle, code: string, text: string, source: Reason['source']) =>
    judgement(lifecycle, { code, source, observedAt: now.at, text });
  if (standing?.closing) {
    const { at, isSleep } = standing.closing;
    const text = `its ${isSleep ? 'hibernation' : 'close'} began ${ago(now.at - at)}`;
    return judgement('closing', { code: 'close-under-way', source: 'declared', observedAt: at, text });
  }
  if (activity === 'unknown' || seenNow(judged).state !== 'met') return judgement('unknown', doubtIn(facts));
  if (activity === 'working' && stillMs(judged) >= facts.policy.hungAfterMs) {
    const text = `runs, but nothing has moved for ${spoken(stillMs(judged))}`;
    return say('stale', 'no-progress', text, 'history');
  }
  if (AT_WORK.has(activity)) return judgement('active', deferral(facts));
  if (facts.people && facts.people.clients.length > 0) {
    return say('active', 'person-attached', 'a person is attached', 'people');
  }
  const work = standing && openGates(standing, facts);
  if (work && work.length > 0) {
    const { isLetGo, reason } = unfinishedWork(work, now.at);
    return judgement(activity === 'idle' && !isLetGo ? 'active' : 'stale', reason);
  }
  const refused = standing && refusedCompletion(standing);
  if (refused && activity === 'idle') return judgement('active', refusal(facts));
  const retention = retentionOf(judged);
  const isKept = retention !== null && !retention.isOver;
  if (isKept && (retention.isWished || beyondCompletion(openIn(checklist)).length === 0))
    return kept(retention);
  const isReleased = retention?.isOver === true && (activity !== 'none' || isVouched(facts));
  if (hasSleeping(judged) && !isReleased) return judgement('active', null);
  if (!isReleased && restMs < neededRestMs(judged))
    return judgement('active', unproven(retention, checklist));
  const open = openIn(checklist);
  if (open.length === 0) {
    const text = 'finished: nothing runs, nothing is unsent, nothing would be lost';
    return isReleased
      ? say('safe-to-close', 'completed', `${retention.reason.text}; nothing would be lost`, 'declared')
      : say('safe-to-close', 'proven', text, 'history');
  }
  if (activity === 'none' && !isReleased) {
    return say('stale', 'long-unused', `a plain terminal, unused for ${spoken(restMs)}`, 'tmux');
  }
  return say('stale', 'proof-incomplete', gaps(isKept ? beyondCompletion(open) : open), 'history');
}

/** What was declared and decides nothing, for whoever reads the reasons. */
export function asideOf(facts: VerdictFacts): Reason | null {
  const { now, standing } = facts;
  const { completion } = standing ?? {};
  if (!standing || !completion || refusedCompletion(standing)) return null;
  const { at, outcome, evidence } = completion;
  if (acceptedCompletion(standing)) {
    const why = unspokenIn(facts);
    const over = `declared complete ${ago(now.at - at)}, which does not speak for it now: ${why}; declare it again`;
    return why === null ? null : { code: 'completion-over', source: 'declared', observedAt: at, text: over };
  }
  const text = `declared ${outcome} ${ago(now.at - at)}${because(evidence)}`;
  return { code: 'declared-failed', source: 'declared', observedAt: at, text };
}

function judgement(lifecycle: Lifecycle, reason: Reason | null): LifecycleJudgement {
  return { lifecycle, reason, retainedUntil: null };
}

function kept({ until, reason }: Retention): LifecycleJudgement {
  return {
    lifecycle: 'completed-retained',
    reason,
    retainedUntil: until === Number.POSITIVE_INFINITY ? null : until,
  };
}

// A failed ledger leaves the activity as it is, so that it has to be said here why nothing may be done.
function doubtIn({ massDeath, unavailable, now }: VerdictFacts): Reason | null {
  if (massDeath) {
    return { code: 'mass-death', source: 'history', observedAt: now.at, text: deathsIn(massDeath) };
  }
  const untold = unavailable.find(({ source }) => source === 'declared');
  if (!untold) return null;
  const { source, observedAt, text } = untold;
  return { code: 'sensor-unavailable', source, observedAt, text };
}

// Declared complete, and still at it.
function deferral(facts: VerdictFacts): Reason | null {
  const completion = countingCompletion(facts);
  if (!completion) return refusal(facts);
  const text = `declared complete ${ago(facts.now.at - completion.at)}${afterwards(facts)}`;
  return { code: 'completion-deferred', source: 'declared', observedAt: completion.at, text };
}

// What follows, and no more than will: whoever is kept or protected stays, and nobody shuts it down where no daemon does.
function afterwards(facts: VerdictFacts): string {
  const { onComplete, retainForMs } = roleOf(facts);
  if (onComplete === 'keep') return '; its role keeps it';
  if (protectionsOf(facts).some(({ code }) => !PASSING.has(code))) return '';
  const after = onComplete === 'retain' && retainForMs > 0 ? `${spoken(retainForMs)} after` : 'after';
  return facts.standing?.isSettled
    ? `; it shuts down ${after} this turn`
    : `; it may be closed ${after} this turn`;
}

// Over by itself before long.
const PASSING: ReadonlySet<string> = new Set(['attached', 'recent-input']);

function refusal({ now, standing }: VerdictFacts): Reason | null {
  return (standing && refusedIn(standing, now)[0]) ?? null;
}

const BY_COMPLETION: ReadonlySet<string> = new Set(['rested', 'finished-or-resumable']);

// Checks that a completion cannot stand in for.
function beyondCompletion(open: readonly Check[]): Check[] {
  return open.filter(({ code }) => !BY_COMPLETION.has(code));
}

function unproven(retention: Retention | null, checklist: Pick<Checklist, 'checks'>): Reason | null {
  if (!retention) return null;
  const text = `${retention.reason.text}; but ${gaps(beyondCompletion(openIn(checklist)))}`;
  return { ...retention.reason, code: 'completion-unproven', text };
}

function openIn({ checks }: Pick<Checklist, 'checks'>): Check[] {
  return checks.filter((check) => check.state !== 'met');
}

// What is known to stand against it; what is merely not known only where nothing else does.
function gaps(open: readonly Check[]): string {
  const unmet = open.filter((check) => check.state === 'unmet');
  return (unmet.length > 0 ? unmet : open).map((check) => check.text).join('; ');
}

// Time over which a running command was seen to do nothing at all, on the clock that stands still in suspend.
function stillMs({ facts, restMs }: Judged): number {
  const quiet = facts.panes.map((pane) => pane.history?.quietMs ?? 0);
  return Math.min(restMs, ...quiet);
}
