import { isResumable, isWaivedUnderPressure } from '../reaper/relief.ts';
import { isDue } from '../settle/due.ts';
import { isGone, isSleepIn, type SessionEntry } from '../sight/roll.ts';
import type { Blocker, Protection } from '../verdict/verdict.ts';

/** What somebody asks for who wants a session closed. */
export interface CloseWish {
  /** Close it although checks are not met, and end what does not end by itself. */
  readonly isForced: boolean;
  /** Protections that the caller names and sets aside. */
  readonly despite: readonly string[];
  /** No person asked for this very session: a schedule, pressure or a program did. Only what is proven and unprotected goes. */
  readonly isAutomatic: boolean;
  /** Memory is short: an idle agent that can be resumed may go before it has rested for long, with work unsaved on disk. */
  readonly isUnderPressure?: boolean;
  /** Because its work was declared complete, and only while that stands. */
  readonly isByCompletion?: boolean;
  /** Its agent is to sleep, and the session stays. */
  readonly isToSleep?: boolean;
}

/** What a session is closed on. */
export type CloseDecision =
  | {
      readonly state: 'go';
      /** What stands against it and was set aside: checks that are not met, and a wish to keep it. */
      readonly waived: readonly Blocker[];
    }
  /** Only time is missing: it has to be seen at rest for longer. Then the rest of what stands against it is set aside. */
  | {
      readonly state: 'not-yet';
      readonly blockers: readonly Blocker[];
      readonly waived: readonly Blocker[];
    }
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

/** Met by looking on, and by nothing else. */
const MET_BY_WAITING = 'confirmed';

/**
 * Whether a session may be closed for this wish, by a verdict that was made just now. A person who asks for it is held up only
 * by what closing would lose: that its work is unfinished is theirs to judge, and goes into the receipt.
 */
export function decideClose(entry: SessionEntry, wish: CloseWish): CloseDecision {
  const { lifecycle, blockers } = entry;
  if (isGone(entry)) return { state: 'gone' };
  const { protections, wishes } = protectionsFor(entry, wish);
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
  const losses = blockers.filter(({ kind }) => kind === 'would-lose');
  const waits = losses.every(({ code }) => code === MET_BY_WAITING);
  if (protections.length > 0) {
    const codes = protections.map(({ code }) => code).join(',');
    const despite = `--despite ${codes} sets that aside`;
    const also = wish.isForced || wish.isToSleep || waits ? '' : '; what is blocked needs --force as well';
    return refuse(
      'protected',
      'it is protected',
      wish.isAutomatic ? 'close it by name' : `${despite}${also}`,
    );
  }
  const waived = [...blockers, ...wishes];
  if (wish.isForced) return { state: 'go', waived };
  if (lifecycle === 'safe-to-close' && (!wish.isByCompletion || isDue(entry)))
    return { state: 'go', waived: wishes };
  if (!wish.isAutomatic && lifecycle !== 'unknown') {
    if (losses.length === 0) return { state: 'go', waived };
    const unfinished = waived.filter(({ kind }) => kind === 'unfinished');
    if (waits) return { state: 'not-yet', blockers: losses, waived: unfinished };
  }
  if (wish.isAutomatic && wish.isUnderPressure && isLongIdle(entry)) return { state: 'go', waived: blockers };
  return refuse('not-safe', whyNot(entry, losses, wish), hintFor(entry, losses, wish));
}

// Its lifecycle tells a person nothing where its turn is over and only a draft, or somebody in it, stands in the way.
function whyNot({ lifecycle, reasons }: SessionEntry, losses: readonly Blocker[], wish: CloseWish): string {
  const [first] = losses;
  const isAtRest = lifecycle !== 'unknown' && losses.every(({ code }) => code !== 'at-rest');
  if (first && isAtRest && !wish.isAutomatic) return `something may be lost: ${first.text}`;
  return `it is ${lifecycle}: ${reasons[0]?.text ?? 'nothing is known of it'}`;
}

function hintFor(
  { lifecycle, activity }: SessionEntry,
  losses: readonly Blocker[],
  { isToSleep }: CloseWish,
): string {
  // Nothing is put to sleep by force.
  const forced = isToSleep ? '' : '; --force closes it all the same';
  if (lifecycle === 'unknown') return `rollcall explain tells what is not known${forced}`;
  // Only what is automatic is refused where nothing would be lost.
  if (losses.length === 0)
    return `nothing would be lost: ${isToSleep ? 'put it to sleep' : 'close it'} by name`;
  const lost = 'what is listed as blocked may be lost';
  // A plain terminal never finishes.
  if (activity === 'none')
    return isToSleep ? 'only an agent can sleep' : `--force closes it all the same, and ${lost}`;
  return isToSleep ? 'wait for it' : `wait for it${forced}, and ${lost}`;
}

// Whatever else is not met keeps it: pressure stands for time, never for proof.
function isLongIdle(entry: SessionEntry): boolean {
  const { activity, lifecycle, blockers } = entry;
  const isRecentOrStale = lifecycle === 'active' || lifecycle === 'stale';
  const isProven = blockers.every(isWaivedUnderPressure);
  return activity === 'idle' && isRecentOrStale && isProven && isResumable(entry) && !isSleepIn(entry);
}

// To keep it was a wish as well, and loses nothing by a later one: whoever asks by name sets it aside, and it is noted.
function protectionsFor(
  { protections }: SessionEntry,
  { despite, isAutomatic }: CloseWish,
): { readonly protections: readonly Protection[]; readonly wishes: readonly Blocker[] } {
  const isSetAside = (code: string) =>
    code !== 'own-session' && (despite.includes(code) || (code === 'not-managed' && !isAutomatic));
  const left = protections.filter(({ code }) => !isSetAside(code));
  const isWish = ({ code }: Protection) => code === 'retained' && !isAutomatic;
  return {
    protections: left.filter((one) => !isWish(one)),
    wishes: left.filter(isWish).map(({ code, text }) => ({ code, kind: 'unfinished', text })),
  };
}
