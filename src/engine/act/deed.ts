import { factsAbout, type SessionFacts } from '../../core/ledger/current-facts.ts';
import type { EntrySession } from '../../core/ledger/entry.ts';
import { type JsonObject, plain } from '../../core/ledger/json.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { LockSighting } from '../../core/lock/sighting.ts';
import type { LockSubject } from '../../core/lock/subject.ts';
import type { LockFailed } from '../../ports/lock.ts';
import type { Hands } from './hands.ts';

/** What an action wants to do, before anything is done. */
export interface Plan {
  readonly action: string;
  readonly session: EntrySession;
  /** Who does it, for whoever waits for the lock. */
  readonly argv: readonly string[];
  /** Makes ready under the session's lock, before anything is recorded; false where there is nothing to do any more. */
  prepare?(): Promise<boolean>;
  /**
   * Decides by what the ledger says at this moment, while nobody else can record anything: the body of the intent, or
   * null where there is nothing to do any more.
   */
  intend(facts: SessionFacts | undefined): JsonObject | null;
}

/** An action whose intent is on the disk. */
export interface Deed<Step extends string> {
  /** Sequence of the intent. */
  readonly cause: number;
  /** Does one lasting step. Named, so that a test can stop the process around each of them. */
  step<T>(name: Step, work: () => T | Promise<T>): Promise<T>;
  receipt(body: object): Promise<void>;
}

/** How an action ended, and what its outcome says. `result` is `done` only where all of it was done. */
export interface Ending<T> {
  readonly session: EntrySession;
  readonly body: JsonObject & { readonly result: string };
  readonly value: T;
}

export type Performed<T> =
  | { readonly state: 'performed'; readonly value: T }
  | { readonly state: 'moot' }
  /** Another process is at the same session. */
  | { readonly state: 'busy'; readonly by: LockSighting }
  | LockFailed;

/** How long whoever wants to record something waits for the others who do. */
export const WRITER_TIMEOUT_MS = 15_000;

/** The lock of one session: whoever holds it is the only one who acts on it. */
export function sessionLock({ key, name }: EntrySession): LockSubject {
  return { name: 'session', project: key ?? `new:${name}` };
}

/**
 * Performs one action: alone on its session, with an intent before it and an outcome after it. Both locks are released by
 * the kernel, so a killed process leaves an intent without an outcome and nothing else to clean.
 */
export async function perform<T, Step extends string>(
  hands: Hands,
  plan: Plan,
  work: (deed: Deed<Step>) => Promise<Ending<T>>,
): Promise<Performed<T>> {
  const { action, session, argv } = plan;
  const claim = { task: action, argv };
  const taken = hands.locks.tryLock(sessionLock(session), claim);
  if (taken.state !== 'held') return taken;
  try {
    if (plan.prepare !== undefined && !(await plan.prepare())) return { state: 'moot' };
    const intended = await hands.writer.hold(claim, WRITER_TIMEOUT_MS, async () => intend(hands, plan));
    if (intended.state !== 'done') return intended;
    if (intended.value === null) return { state: 'moot' };
    const cause = intended.value;
    const step = async <R>(name: string, one: () => R | Promise<R>): Promise<R> => {
      hands.onStep?.(name, 'before');
      const result = await one();
      hands.onStep?.(name, 'after');
      return result;
    };
    const ending = await work({
      cause,
      step,
      receipt: (body) =>
        step('receipt', () => {
          hands.ledger.append({ kind: 'receipt', action, session, cause, body: plain(body) });
        }),
    });
    await step('outcome', () =>
      hands.ledger.append({ kind: 'outcome', action, session: ending.session, cause, body: ending.body }),
    );
    return { state: 'performed', value: ending.value };
  } finally {
    taken.hold.release();
  }
}

// Whoever holds the session's lock knows that an earlier intent of it was left behind by a process that is gone.
function intend(hands: Hands, { action, session, intend: decide }: Plan): number | null {
  const { folded, damage } = hands.ledger.facts();
  // What is to be done to a session rests on everything that was said of it.
  if (damage !== null && session.key !== null)
    throw new LedgerError('damaged', damage.text, 'run: rollcall verify');
  const facts = session.key === null ? undefined : factsAbout(folded, session.key);
  const body = decide(facts);
  if (body === null) return null;
  hands.onStep?.('intent', 'before');
  const { sequence } = hands.ledger.append({ kind: 'intent', action, session, body });
  hands.onStep?.('intent', 'after');
  return sequence;
}
