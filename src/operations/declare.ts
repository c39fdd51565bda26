import type { ActedDocument } from '../contract/acted-schema.ts';
import type { Input } from '../contract/operations.ts';
import type { Claims } from '../core/ledger/current-facts.ts';
import { type CompletionWish, cancelCompletion, completeSession } from '../engine/act/complete.ts';
import * as standing from '../engine/act/declare-standing.ts';
import type { Hands } from '../engine/act/hands.ts';
import type { At } from './at.ts';
import { Failure, orFail } from './failure.ts';
import { findOne, type OneSession, toldOf } from './one-session.ts';

const LONGEST_MS = 3650 * 86_400_000;

export function hold({ reason, ...asked }: Input<'hold'>, at: At): Promise<ActedDocument> {
  return at.withHands(async (hands) => {
    const found = await findOne(hands, asked);
    const declared = await standing.hold(hands, found.entry, reason ?? null);
    return toldOf(at, hands, found, declared, { now: 'held', already: 'already-held' });
  });
}

export function unhold(asked: Input<'unhold'>, at: At): Promise<ActedDocument> {
  return at.withHands(async (hands) => {
    const found = await findOne(hands, asked, { mayBeGone: true });
    const declared = await standing.unhold(hands, found.entry);
    return toldOf(at, hands, found, declared, { now: 'unheld', already: 'not-held' });
  });
}

export function retain(wish: Input<'retain'>, at: At): Promise<ActedDocument> {
  checkRetain(wish, at.now());
  return at.withHands(async (hands) => {
    const found = await findOne(hands, wish, { mayBeGone: wish.release ?? false });
    if (wish.release) {
      const released = await standing.release(hands, found.entry);
      return toldOf(at, hands, found, released, { now: 'released', already: 'not-retained' });
    }
    const { until, forMs = 0, reason = null } = wish;
    const keeping = until === undefined ? { forMs, reason } : { until, reason };
    const declared = await standing.retain(hands, found.entry, keeping);
    return toldOf(at, hands, found, declared, { now: 'retained', already: 'already-retained' });
  });
}

export function complete(wish: Input<'complete'>, at: At): Promise<ActedDocument> {
  checkComplete(wish);
  return at.withHands(async (hands) =>
    completeFound(at, hands, await findOne(hands, wish, { isThorough: !wish.cancel }), wish, null),
  );
}

/** The same for a session that was found otherwise; `fromPane` is the pane that whoever says so is proven to be in. */
export async function completeFound(
  at: At,
  hands: Hands,
  found: OneSession,
  { cancel: isCancelled, outcome = 'done', task, evidence = [] }: Omit<Input<'complete'>, 'session'>,
  fromPane: CompletionWish['fromPane'],
): Promise<ActedDocument> {
  if (isCancelled) {
    const taken = await cancelCompletion(hands, found.entry);
    return toldOf(at, hands, found, taken, { now: 'cancelled', already: 'not-completed' });
  }
  const wish = { outcome, task: task ?? null, evidence, fromPane };
  const declared = orFail(await completeSession(hands, at.policies, found.entry, wish));
  return toldOf(at, hands, found, declared, { now: 'completed', already: 'already-completed' });
}

export function adopt({ session, servers, ...claims }: Input<'adopt'>, at: At): Promise<ActedDocument> {
  return at.withHands(async (hands) => {
    const found = await findOne(hands, { session, servers });
    const { as, declared, unstamped } = await standing.adopt(hands, found.entry, claims as Partial<Claims>);
    const now = as === 'claim' ? 'claimed' : 'adopted';
    const told = await toldOf(at, hands, found, declared, { now, already: 'already-adopted' });
    const notes = unstamped.map((text) => `not marked in tmux: ${text}`);
    return notes.length === 0 ? told : { ...told, note: [told.note ?? [], ...notes].flat().join('; ') };
  });
}

function checkComplete({ cancel: isCancelled, outcome, task, evidence }: Input<'complete'>): void {
  if (!isCancelled || (outcome ?? task ?? evidence?.[0]) === undefined) return;
  throw new Failure('usage', 'cancel goes with no other field', { hint: 'give it alone' });
}

function checkRetain({ forMs, until, release: isReleased, reason }: Input<'retain'>, now: number): void {
  if (isReleased) {
    if ((forMs ?? until ?? reason) === undefined) return;
    throw new Failure('usage', 'release goes with no other field', { hint: 'give it alone' });
  }
  if ((forMs === undefined) === (until === undefined)) {
    throw new Failure('usage', 'retain needs one of forMs and until, or release');
  }
  if (until === undefined) return;
  if (until <= now) {
    throw new Failure('usage', 'until is over already', { hint: 'to keep it no longer, send release' });
  }
  if (until - now > LONGEST_MS) {
    throw new Failure('usage', 'until is too far away', { hint: 'ten years are the most' });
  }
}
