import { isRetained } from '../../core/close/guard.ts';
import { CLAIMS, type Claims, type SessionFacts } from '../../core/ledger/current-facts.ts';
import { identityOf, isGone, type SessionEntry } from '../../core/sight/roll.ts';
import type { Acted, PaneTarget } from '../../ports/actuator.ts';
import { DECLARE_STEPS, type DeclareOutcome, declare } from './declare.ts';
import { factsOf, type Hands } from './hands.ts';
import { outlastClose } from './outlast-close.ts';
import { targetOf } from './run-find.ts';
import { stampOf } from './run-wish.ts';
import type { Trouble } from './trouble.ts';

/**
 * Nobody closes it until that is taken back. The session bears it too, first: what closes it asks tmux at the last moment. A
 * hold that could not be recorded leaves no mark.
 */
export async function hold(
  hands: Hands,
  entry: SessionEntry,
  reason: string | null,
): Promise<DeclareOutcome<Trouble>> {
  const target = identityOf(entry);
  const paneIds = paneIdsOf(entry);
  await hands.tmux.markHeld(target, hands.now());
  let isRecorded = entry.protections.some(({ code }) => code === 'held');
  try {
    const declared = await declare(hands, 'hold', entry, (facts) =>
      facts?.held && facts.held.reason === reason ? null : { reason, paneIds },
    );
    if (declared.state === 'declared' || declared.state === 'already') {
      isRecorded = true;
      await markAsRecorded(hands, entry);
    }
    return await outlastClose(hands, entry, declared);
  } finally {
    if (!isRecorded) await hands.tmux.markHeld(target, null);
  }
}

/** Takes a hold back, from the ledger and then from the session: until both are done it is held. */
export async function unhold(hands: Hands, entry: SessionEntry): Promise<DeclareOutcome> {
  const isSeenHeld = entry.evidence.some((one) => one.kind === 'standing' && one.held !== undefined);
  const declared = await declare(hands, 'unhold', entry, (facts) => (facts?.held || isSeenHeld ? {} : null));
  // A session that is gone bears nothing any more.
  if ((declared.state !== 'declared' && declared.state !== 'already') || isGone(entry)) return declared;
  const taken = await markAsRecorded(hands, entry);
  if (taken.state !== 'failed') return declared;
  const text = `its tmux session is still marked as held: ${taken.text}`;
  return { state: 'failed', text, hint: 'try again: rollcall unhold' };
}

/**
 * Marks the session as the ledger has it, once that took what was said: before, the mark may be another install's. Somebody else may hold it, or take that back, at the same moment: whoever is last to
 * mark it has read what came last.
 */
async function markAsRecorded(hands: Hands, entry: SessionEntry): Promise<Acted> {
  for (let isHeld = isHeldNow(hands, entry); ; ) {
    const acted = await hands.tmux.markHeld(identityOf(entry), isHeld ? hands.now() : null);
    const wasHeld = isHeld;
    isHeld = isHeldNow(hands, entry);
    if (isHeld === wasHeld) return acted;
  }
}

function isHeldNow(hands: Hands, entry: SessionEntry): boolean {
  return factsOf(hands, entry)?.held != null;
}

/** Kept until a date, or for a time: a date follows the wall clock, a time is counted while the machine is awake. */
export type Keeping = ({ readonly until: number } | { readonly forMs: number }) & {
  readonly reason: string | null;
};

export async function retain(
  hands: Hands,
  entry: SessionEntry,
  keeping: Keeping,
): Promise<DeclareOutcome<Trouble>> {
  const { reason } = keeping;
  const paneIds = paneIdsOf(entry);
  const declared = await declare(hands, 'retain', entry, (facts) => {
    if ('forMs' in keeping) {
      const { at, awakeMs } = hands.moment();
      return { until: at + keeping.forMs, forMs: keeping.forMs, awakeMs, reason, paneIds };
    }
    const { until } = keeping;
    const { retained } = facts ?? {};
    const isKnown = retained?.until === until && retained.forMs === undefined && retained.reason === reason;
    return isKnown ? null : { until, reason, paneIds };
  });
  return outlastClose(hands, entry, declared);
}

/** Ends a retention now; there is nothing to record where none holds. */
export function release(hands: Hands, entry: Pick<SessionEntry, 'key' | 'name'>): Promise<DeclareOutcome> {
  return declare(hands, 'retain', entry, (facts) => {
    const now = hands.moment();
    return isRetained(facts, now) ? { until: now.at, reason: null, released: true } : null;
  });
}

/** Every lasting step of an adoption, in order. */
export const ADOPT_STEPS = [...DECLARE_STEPS, 'stamp'] as const;

export interface Adopted {
  /** `claim`: it was managed already, and only what it works on is new. */
  readonly as: 'adopt' | 'claim';
  readonly declared: DeclareOutcome<Trouble>;
  /** What tmux said to the stamps that it did not make; the adoption holds without them. */
  readonly unstamped: readonly string[];
}

/** Takes a session into rollcall's care that rollcall did not start, or records what one works on that is in it. */
export async function adopt(hands: Hands, entry: SessionEntry, claims: Partial<Claims>): Promise<Adopted> {
  const run = crypto.randomUUID();
  const { server, ...identity } = identityOf(entry);
  const adopted = await declare<'managed'>(hands, 'adopt', entry, (facts) =>
    facts?.origin
      ? { refused: 'managed' }
      : { server: { ...server }, ...identity, run, claims: { ...claims }, paneIds: paneIdsOf(entry) },
  );
  if (adopted.state !== 'refused') {
    const declared = await outlastClose(hands, entry, adopted);
    return { as: 'adopt', ...(await stamped(hands, entry, declared, claims, run)) };
  }
  const claimed = await declare(hands, 'claim', entry, (facts) =>
    isNews(facts, claims) ? { claims: { ...claims } } : null,
  );
  const declared = await outlastClose(hands, entry, claimed);
  return { as: 'claim', ...(await stamped(hands, entry, declared, claims, null)) };
}

/** The panes that a session shows: what is declared of it goes with them. */
function paneIdsOf({ panes }: SessionEntry): string[] {
  return panes.map(({ paneId }) => paneId);
}

function isNews(facts: SessionFacts | undefined, claims: Partial<Claims>): boolean {
  return CLAIMS.some((claim) => claims[claim] !== undefined && claims[claim] !== facts?.claims[claim]);
}

// The record comes first: a stamp without it would mean nothing.
async function stamped(
  hands: Hands,
  entry: SessionEntry,
  declared: DeclareOutcome<Trouble>,
  claims: Partial<Claims>,
  run: string | null,
): Promise<Pick<Adopted, 'declared' | 'unstamped'>> {
  if (declared.state !== 'declared') return { declared, unstamped: [] };
  const known = { ...declared.before?.claims, ...claims };
  hands.onStep?.('stamp', 'before');
  const unstamped: string[] = [];
  for (const pane of entry.panes) {
    const target = targetOf(entry, pane);
    const act = await stampPane(hands, target, known, run);
    if (act.state !== 'done') unstamped.push(`${pane.paneId}: ${act.text}`);
  }
  hands.onStep?.('stamp', 'after');
  return { declared, unstamped };
}

// A pane that was started by rollcall keeps the word of that run.
async function stampPane(
  hands: Hands,
  target: PaneTarget,
  claims: Partial<Claims>,
  run: string | null,
): Promise<Acted> {
  if (run !== null) return hands.tmux.stamp(target, stampOf(claims, run));
  const earlier = await hands.tmux.runOf(target);
  if (earlier.state !== 'read') return earlier;
  if (earlier.run === null) return { state: 'done' };
  return hands.tmux.stamp(target, stampOf(claims, earlier.run));
}
