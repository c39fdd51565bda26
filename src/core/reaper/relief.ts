import { isAtLeast, type Tier } from '../pressure/tier.ts';
import { isGone, isSleepIn, type SessionEntry } from '../sight/roll.ts';
import { spoken } from '../text/duration.ts';
import type { Moment } from '../text/moment.ts';
import { gatherFacts } from '../verdict/facts.ts';
import type { Policy } from '../verdict/policy.ts';
import { restMs } from '../verdict/rest.ts';
import type { Activity, Blocker, Check } from '../verdict/verdict.ts';
import type { ReaperPolicy } from './policy.ts';
import type { ReapGuard, Relief } from './standing.ts';

/** What a session would be reaped as, or the first guard that keeps it. */
export type Judgement =
  | { readonly relief: Relief; readonly guard: null; readonly restMs: number }
  | { readonly relief: null; readonly guard: ReapGuard };

/** What a session is judged by. */
export interface ReapView {
  readonly tier: Tier;
  readonly now: Moment;
  readonly policy: ReaperPolicy;
  /** A thorough look was taken: what is not known now is not known at all. */
  readonly isExamined: boolean;
}

/** Whether a session may go at this tier, and as what. Only what is at rest, unprotected and proven may. */
export function judgeRelief(entry: SessionEntry, view: ReapView): Judgement {
  const found = guardOf(entry, view);
  if (typeof found !== 'string') return { relief: null, guard: found };
  return { relief: found, guard: null, restMs: restOf(entry, view) };
}

const AT_REST: ReadonlySet<Activity> = new Set(['idle', 'exited']);

function guardOf(entry: SessionEntry, view: ReapView): ReapGuard | Relief {
  const { lifecycle, activity, protections, reasons } = entry;
  const why = reasons[0]?.text ?? 'nothing is known of it';
  if (isGone(entry)) return { code: lifecycle, text: 'it is not there' };
  if (lifecycle === 'closing') return { code: lifecycle, text: 'it is being closed already' };
  const [protection] = protections;
  if (protection) return { code: protection.code, text: protection.text };
  if (!AT_REST.has(activity)) return { code: activity === 'none' ? 'no-agent' : activity, text: why };
  if (isSleepIn(entry)) return { code: 'asleep', text: 'an agent sleeps in it' };
  if (lifecycle === 'unknown' || lifecycle === 'completed-retained') return { code: lifecycle, text: why };
  // Asked before anything that costs: most rounds of most days end here.
  if (view.tier === 'normal') return NO_PRESSURE;
  if (lifecycle !== 'safe-to-close') return longIdle(entry, view);
  return reasons[0]?.code === 'completed' ? 'retention-over' : 'safe-to-close';
}

const NO_PRESSURE: ReapGuard = { code: 'no-pressure', text: 'memory is not short' };

// Idle, and not proven for long enough to be safe to close without pressure.
function longIdle(entry: SessionEntry, view: ReapView): ReapGuard | Relief {
  const { idleAfterMs, longIdleFrom } = view.policy;
  const open = entry.checks.find((check) => stands(check, entry, view));
  if (open) return { code: open.code, text: open.text };
  if (!isResumable(entry)) return { code: 'not-resumable', text: 'not all of it can be resumed' };
  const rest = restOf(entry, view);
  if (rest < idleAfterMs) {
    const text = `it has rested for ${spoken(rest)}; ${spoken(idleAfterMs)} are asked for`;
    return { code: 'recent', text };
  }
  if (isAtLeast(view.tier, longIdleFrom)) return 'long-idle';
  return { code: 'pressure-too-low', text: `idle agents go only when pressure is ${longIdleFrom}` };
}

// What only a screen can tell is asked of the few that could go, by a closer look. Only an idle agent goes with anything open.
function stands(check: Check, { activity }: SessionEntry, { isExamined }: ReapView): boolean {
  const { code, state } = check;
  if (state === 'met') return false;
  if (activity !== 'idle') return true;
  return code === 'nothing-unsent' ? isExamined || state === 'unmet' : !isWaivedUnderPressure(check);
}

function restOf({ evidence }: SessionEntry, { now, policy }: ReapView): number {
  // Facts ask a policy only for how old evidence may be.
  return restMs(gatherFacts(evidence, now, { freshMs: policy.freshMs } as Policy));
}

/** Whether everything in a session is an agent whose conversation can be brought back: nothing else vouches for it. */
export function isResumable({ panes, evidence }: Pick<SessionEntry, 'panes' | 'evidence'>): boolean {
  const resumable = new Set(
    evidence.flatMap((piece) => (piece.kind === 'agent' && piece.resume?.length ? [piece.paneId] : [])),
  );
  return panes.length > 0 && panes.every(({ paneId }) => resumable.has(paneId));
}

const WAIVED_UNDER_PRESSURE: ReadonlySet<string> = new Set(['rested', 'work-saved']);

/** What pressure stands in for: time that has not passed yet, and work that stays on the disk as it is. */
export function isWaivedUnderPressure({ code, kind }: Pick<Blocker, 'code' | 'kind'>): boolean {
  return kind === 'unfinished' && WAIVED_UNDER_PRESSURE.has(code);
}
