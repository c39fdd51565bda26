import { isResumable, WAIVED_UNDER_PRESSURE } from '../reaper/resumable.ts';
import type { SessionEntry } from '../roll.ts';
import { isDue } from '../settle/due.ts';
import type { Blocker, Protection } from '../verdict.ts';

/** What somebody asks for who wants a session closed. */
export interface CloseWish {
  /** Close it although checks are not met, and end what does not end by itself. */
  readonly isForced: boolean;
  /** Protections that the caller names and sets aside. */
  readonly despite: readonly string[];
  /** Nobody asked for this very session: only what is proven and unprotected goes. */
  readonly isAutomatic: boolean;
  /** Memory is short: an idle agent that can be resumed may go before it has rested for long, with work unsaved on disk. */
  readonly isUnderPressure?: boolean;
  /** Because its work was declared complete, and only while that stands. */
  readonly isByCompletion?: boolean;
}

/** What a session is closed on. */
export type CloseDecision =
  | {
      readonly state: 'go';
      /** Checks that are not met and were set aside. */
      readonly waived: readonly Blocker[];
    }
  /** Only time is missing: it has to be seen at rest for longer. */
  | { readonly state: 'not-yet'; readonly blockers: readonly Blocker[] }
  /** It is not there any more; nothing is left to close. */
  | { readonly state: 'gone' }
  | Refusal;

export interface Refusal {
  readonly state: 'refused';
  readonly code: 'own-session' | 'already-closing' | 'unseen' | 'protected' | 'not-safe';
  readonly text: string;
  readonly blockers: readonly Blocker[];
  readonly protections: readonly Protection[];
  readonly hint: string;
}

/** What an explicit request stands for: the person has seen that it is over, and where its work is. */
const WAIVED_ON_REQUEST: ReadonlySet<string> = new Set(['rested', 'finished-or-resumable', 'work-saved']);

/** Met by looking on, and by nothing else. */
const MET_BY_WAITING = 'confirmed';

/** Whether a session may be closed for this wish, by a verdict that was made just now. */
export function decideClose(entry: SessionEntry, wish: CloseWish): CloseDecision {
  const { lifecycle, blockers } = entry;
  if (lifecycle === 'lost') return { state: 'gone' };
  const protections = standing(entry, wish);
  const refuse = (code: Refusal['code'], text: string, hint: string): Refusal => ({
    ...{ state: 'refused', code, text, blockers, protections, hint },
  });
  if (protections.some(({ code }) => code === 'own-session')) {
    return refuse('own-session', 'rollcall itself runs in it', 'call rollcall from another session');
  }
  if (lifecycle === 'closing') {
    return refuse('already-closing', 'it is being closed already', 'rollcall log shows by whom');
  }
  if (entry.panes.length === 0) {
    return refuse('unseen', 'its tmux server does not answer', 'nothing is closed that cannot be seen');
  }
  if (protections.length > 0) {
    const codes = protections.map(({ code }) => code).join(',');
    const despite = `--despite ${codes} sets that aside`;
    const isBlocked = !wish.isForced && lifecycle !== 'safe-to-close' && lifecycle !== 'stale';
    const also = isBlocked && blockers.length > 0 ? '; what is blocked needs --force as well' : '';
    return refuse(
      'protected',
      'it is protected',
      wish.isAutomatic ? 'close it by name' : `${despite}${also}`,
    );
  }
  if (wish.isForced) return { state: 'go', waived: blockers };
  if (lifecycle === 'safe-to-close' && (!wish.isByCompletion || isDue(entry)))
    return { state: 'go', waived: [] };
  const open = blockers.filter(({ code }) => !WAIVED_ON_REQUEST.has(code));
  if (lifecycle === 'stale' && !wish.isAutomatic) {
    if (open.length === 0) return { state: 'go', waived: blockers };
    if (open.every(({ code }) => code === MET_BY_WAITING)) return { state: 'not-yet', blockers: open };
  }
  if (wish.isAutomatic && wish.isUnderPressure && isLongIdle(entry)) return { state: 'go', waived: blockers };
  const why = entry.reasons[0]?.text ?? 'nothing is known of it';
  const hint =
    lifecycle === 'unknown'
      ? 'rollcall explain tells what is not known; --force closes it all the same'
      : 'wait for it, or --force closes it and loses what is listed';
  return refuse('not-safe', `it is ${lifecycle}: ${why}`, hint);
}

// Whatever else is not met keeps it: pressure stands for time, never for proof.
function isLongIdle(entry: SessionEntry): boolean {
  const { activity, lifecycle, blockers } = entry;
  const isRecentOrStale = lifecycle === 'active' || lifecycle === 'stale';
  const isProven = blockers.every(({ code }) => WAIVED_UNDER_PRESSURE.has(code));
  return activity === 'idle' && isRecentOrStale && isProven && isResumable(entry);
}

function standing({ protections }: SessionEntry, wish: CloseWish): readonly Protection[] {
  const isSetAside = (code: string) =>
    code !== 'own-session' && (wish.despite.includes(code) || (code === 'not-managed' && !wish.isAutomatic));
  return protections.filter(({ code }) => !isSetAside(code));
}
