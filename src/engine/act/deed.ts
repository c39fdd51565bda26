import { factsAbout, type SessionFacts } from '../../core/ledger/current-facts.ts';
import type { EntryDraft, EntrySession, LedgerEntry } from '../../core/ledger/entry.ts';
import { type JsonObject, plain } from '../../core/ledger/json.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { LockSighting } from '../../core/lock/sighting.ts';
import type { LockSubject } from '../../core/lock/subject.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { LockFailed } from '../../ports/lock.ts';
import type { Hands } from './hands.ts';
import { type AskLost, askLost, LostDeed } from './still-ours.ts';

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
  /** Does it only while the deed is this process's own. */
  readonly step: DoStep<Step>;
  readonly lost: AskLost;
  receipt(body: object): Promise<void>;
}

/** Does one lasting step. Named, so that a test can stop the process around each of them. */
export type DoStep<Step extends string> = <T>(name: Step, work: () => T | Promise<T>) => Promise<T>;

export function stepsOf({ onStep }: Pick<Hands, 'onStep'>): DoStep<string> {
  return async (name, work) => {
    onStep?.(name, 'before');
    const result = await work();
    onStep?.(name, 'after');
    return result;
  };
}

/** Steps that are asked for at the last moment: nothing can come between but what tmux itself compares. */
function stepsWhileOurs(step: DoStep<string>, lost: AskLost): DoStep<string> {
  return (name, work) =>
    step(name, () => {
      const why = lost();
      if (why !== null) throw new LostDeed(why);
      return work();
    });
}

/** Records one entry as a lasting step. */
export function recordStep(
  { ledger, onStep }: Pick<Hands, 'ledger' | 'onStep'>,
  name: string,
  draft: EntryDraft,
): LedgerEntry {
  onStep?.(name, 'before');
  const entry = ledger.append(draft);
  onStep?.(name, 'after');
  return entry;
}

/** How an action ended, and what its outcome says. `result` is `done` only where all of it was done. */
export interface DeedEnding<T> {
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
  work: (deed: Deed<Step>) => Promise<DeedEnding<T>>,
): Promise<Performed<T>> {
  const { action, session, argv } = plan;
  const claim = { task: action, argv };
  const taken = hands.locks.tryLock(sessionLock(session), claim);
  if (taken.state !== 'held') return taken;
  try {
    // Before anything is looked at: what a damaged ledger does not say looks like something else.
    soundFacts(hands, session);
    if (plan.prepare !== undefined && !(await plan.prepare())) return { state: 'moot' };
    const intended = await hands.writer.hold(claim, WRITER_TIMEOUT_MS, async () => intend(hands, plan));
    if (intended.state !== 'done') return intended;
    if (intended.value === null) return { state: 'moot' };
    const { sequence: cause } = intended.value;
    const lost = askLost(hands, taken.hold, intended.value);
    const receipt = async (body: object) => {
      recordStep(hands, 'receipt', { kind: 'receipt', action, session, cause, body: plain(body) });
    };
    const step = stepsWhileOurs(stepsOf(hands), lost);
    const { value, ...ending } = await work({ cause, step, lost, receipt });
    // Of what was stopped because somebody else has told how it ended, nothing is left to tell.
    const isTold = ending.body.result !== 'done' && lost()?.isTold === true;
    if (!isTold) recordStep(hands, 'outcome', { kind: 'outcome', action, cause, ...ending });
    return { state: 'performed', value };
  } finally {
    taken.hold.release();
  }
}

// This process holds the session's lock: an earlier intent that is still open was left by a process that is gone.
function intend(hands: Hands, { action, session, intend: decide }: Plan): LedgerEntry | null {
  const body = decide(soundFacts(hands, session));
  if (body === null) return null;
  return recordStep(hands, 'intent', { kind: 'intent', action, session, body });
}

// What is to be done to a session rests on everything that was said of it.
function soundFacts({ ledger }: Hands, { key }: EntrySession): SessionFacts | undefined {
  const { folded, damage } = ledger.facts();
  if (key === null) return undefined;
  if (damage !== null) throw new LedgerError('damaged', damage.text, 'run: rollcall verify');
  return factsAbout(folded, key);
}

/** Thrown out of a deed, so that its intent stays open until somebody can tell. */
export class Undecided extends Error {}

/** `it`: what may be so all the same. */
export function undecided({ message }: Undecided, it: string): LockFailed {
  const hint = `${it} all the same; the next rollcall command finds out and records it`;
  return { state: 'failed', text: `tmux gave no answer: ${message}`, hint };
}

/** How an action that was left behind ended. */
export type Recovery = Pick<DeedEnding<unknown>, 'session' | 'body'>;

/** An intent of this machine that nobody is at any more. */
export type LeftIntent = LedgerEntry & { readonly session: EntrySession };

/** Finds out what became of an action whose actor was stopped; null as long as nobody can tell. */
export type Recover = (hands: Hands, intent: LeftIntent, roll: Roll) => Promise<Recovery | null>;

// Without letters and digits that are taken for one another.
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

/** A new name for a receipt and its archive: short enough to be typed. */
export function newReceiptId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `r${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
