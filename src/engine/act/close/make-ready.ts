import { closingPanes, newcomers } from '../../../core/close/closing-pane.ts';
import type { CloseDecision } from '../../../core/close/decide.ts';
import { type Footing, isDisturbedSince } from '../../../core/close/guard.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import { named } from '../../../core/verdict/evidence.ts';
import type { Stance } from '../../../ports/actuator.ts';
import { newReceiptId, stepsOf } from '../deed.ts';
import { awake, factsOf, type Hands } from '../hands.ts';
import { planSleep, type SleepPlan } from '../sleep/plan-sleep.ts';
import { archiveSession } from './archive-session.ts';
import { closedBefore, decideOn } from './await-decision.ts';
import { Belongings } from './belongings.ts';
import { lookAt, type Subject, type There } from './look-at.ts';
import { setAside } from './one-step.ts';
import { type CloseOrder, type CloseResult, notSeenAtRest, type Rungs, refusal } from './order.ts';
import { terminalInUse } from './terminal-holders.ts';

type Go = Extract<CloseDecision, { state: 'go' }>;

/** What a close needs before anything is done: a verdict of this moment, and everything kept. */
export interface Ready {
  readonly sight: There;
  readonly decision: Go;
  readonly footing: Footing;
  /** How it stood before the look that decided. */
  readonly stance: Stance;
  /** When that look was over, on the awake clock. */
  readonly lookedMs: number;
  readonly archive: string;
  readonly id: string;
  /** Of every file of the archive. */
  readonly digests: Map<string, string>;
  readonly belongings: Belongings;
  /** How its agent is put to sleep; absent where the session is to go. */
  readonly sleep?: SleepPlan;
}

/** Looks, decides and archives. Where nothing may be done it gives the result of the close. */
export async function makeReady(
  hands: Hands,
  order: CloseOrder,
  subject: Subject,
  rungs: Rungs,
): Promise<Ready | CloseResult> {
  const stanced = await hands.tmux.stance(subject.target);
  const facts = factsOf(hands, subject);
  const sight = await lookAt(hands, subject);
  const lookedMs = awake(hands);
  const decision = decideOn(sight, order);
  if (decision.state === 'gone' || sight.state !== 'there') return closedBefore(hands, subject);
  if (decision.state === 'not-yet') return notSeenAtRest(decision.blockers);
  if (decision.state === 'refused') return decision;
  const unlisted = (order.wish.isForced ? notShown(order, sight) : null) ?? usedTerminal(hands, order, sight);
  if (unlisted !== null) return unlisted;
  if (stanced.state !== 'seen') {
    return { state: 'failed', text: stanced.text, hint: 'nothing was done; try again', rungs: [] };
  }
  const sleep = order.wish.isToSleep ? await planSleep(hands, subject, sight) : undefined;
  if (sleep !== undefined && 'state' in sleep) return sleep;
  const id = newReceiptId();
  const { claims = null } = facts ?? {};
  const over = rungs.begin('archive');
  const archived = await stepsOf(hands)('archive', () =>
    archiveSession(hands, subject, sight, { id, claims }),
  );
  if (archived.state === 'failed') {
    over('failed', archived.text);
    return { state: 'failed', text: archived.text, hint: archived.hint, rungs: rungs.reports };
  }
  over('done', archived.path);
  const belongings = new Belongings(sight.panes, order.wish, order.shown);
  const digests = new Map(Object.entries(archived.digests));
  const footing = footingOf(order, sight, decision, facts);
  return {
    ...{ sight, decision, footing, lookedMs, id, belongings, digests, ...(sleep && { sleep }) },
    ...{ stance: stanced.stance, archive: archived.path },
  };
}

// Force sets aside what somebody was shown, and nothing that came since.
function notShown({ entry }: CloseOrder, { entry: now, panes, roll }: There): CloseResult | null {
  const shown = new Belongings(closingPanes(entry, roll.at), { isForced: true });
  const [began] = newcomers(panes, shown.isListed);
  const known = new Set(entry.blockers.map(({ code }) => code));
  const added = now.blockers.find(({ code }) => !known.has(code));
  if (began === undefined && added === undefined) return null;
  const text =
    began === undefined ? `since it was looked at: ${added?.text}` : `${named(began)} began since then`;
  return refusal(now, text, 'it is not as it was when its processes were listed; look again');
}

// A process may be tied to the session by its terminal alone: one that was not listed before stops the close.
function usedTerminal(hands: Hands, order: CloseOrder, { entry, panes, roll }: There): CloseResult | null {
  const { isForced } = order.wish;
  const shown = new Belongings(closingPanes(isForced ? order.entry : entry, roll.at), order.wish);
  const text = terminalInUse(hands, entry.server, panes, { isForced, isListed: shown.isListed });
  if (text === null) return null;
  const hint = 'once it has ended, or prints elsewhere, try again; rollcall explain shows what uses it';
  return refusal(entry, text, hint);
}

function footingOf(
  { wish }: CloseOrder,
  sight: There,
  decision: Go,
  declared: SessionFacts | undefined,
): Footing {
  const { isForced, isAutomatic, isByCompletion = false } = wish;
  return {
    ...{ isForced, isAutomatic, isByCompletion, declared },
    panes: sight.panes.map(({ paneId, pid }) => ({ paneId, pid })),
    // A wish to keep it that came later is not among them.
    waived: new Set([...decision.waived.map(({ code }) => code), ...wish.despite]),
  };
}

/**
 * Why the session is not as it was decided and archived any more; null where nothing moved. Asked until the first act is done:
 * a turn that began and ended meanwhile, or a command that somebody entered, is in no archive and was never judged.
 */
export async function movedSince(
  { tmux }: Pick<Hands, 'tmux'>,
  { stance, sight, footing, lookedMs }: Ready,
  now: { readonly entry: SessionEntry; readonly askedMs: number },
): Promise<string | null> {
  const aside = setAside(footing);
  const isDisturbed = isDisturbedSince(now.entry, sight.entry, now.askedMs - lookedMs);
  if (isDisturbed && !aside.has('motion')) return `${MOVED}: its programs were at work`;
  const confirmed = await tmux.confirm({ stance, aside });
  return confirmed.state === 'done' ? null : `${MOVED}: ${confirmed.text}`;
}

const MOVED = 'it did not stand still since it was decided';
