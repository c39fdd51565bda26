import { whereaboutsOf } from '../../core/close/whereabouts.ts';
import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { EntrySession, LedgerEntry } from '../../core/ledger/entry.ts';
import { listIn, objectIn, textIn } from '../../core/ledger/json.ts';
import { identityOf, type SessionEntry } from '../../core/sight/roll.ts';
import type { DeclareOutcome } from './declare.ts';
import { sessionLock } from './deed.ts';
import { awake, factsOf, type Hands } from './hands.ts';
import { isTrouble, type Trouble, trouble } from './trouble.ts';

/** Longer than any step of a close takes: after that step it finds the declaration and stops. */
const OUTLAST_MS = 45_000;
const POLL_MS = 100;

/**
 * After a session was declared to be kept: the answer is yes only where it stands. A close that was on its way by then does
 * nothing more, but what it did before may still end the session; so its end is waited for, and then there is a look.
 */
export async function outlastClose<Refusal = never>(
  hands: Hands,
  entry: SessionEntry,
  declared: DeclareOutcome<Refusal>,
): Promise<DeclareOutcome<Refusal | Trouble>> {
  if (declared.state !== 'declared' && declared.state !== 'already') return declared;
  const stands = await standsAfterClose(hands, entry, declared.before);
  if (isTrouble(stands)) return { state: 'refused', refusal: stands };
  return stands.note === undefined ? declared : { ...declared, note: stands.note };
}

/** Waits for the end of a close that is on its way, or was `before` something was recorded, and tells whether it stands. */
export async function standsAfterClose(
  hands: Hands,
  entry: SessionEntry,
  before: SessionFacts | undefined,
): Promise<{ readonly note?: string } | Trouble> {
  const { key, name } = entry;
  const closing = factsOf(hands, entry)?.closing ?? before?.closing ?? null;
  if (closing !== null && !(await isOver(hands, { key, name }))) {
    return trouble('failed', 'a close of it is on its way and has not ended', {
      hint: 'what was said is recorded, and the close does nothing more; rollcall log tells how it ended',
    });
  }
  const { server } = identityOf(entry);
  const roll = await hands.look({ servers: [server.socketPath], withoutGit: true });
  const where = whereaboutsOf({ key, server }, roll, hands.processes.sense());
  if (where.state === 'gone') {
    const receipt = factsOf(hands, entry)?.closed?.receipt;
    return receipt === undefined
      ? trouble('not-found', `session '${name}' is gone`, {
          hint: 'rollcall log tells what was last known of it',
        })
      : trouble('not-found', `session '${name}' was closed just now, receipt ${receipt}`, {
          hint: `rollcall reopen ${receipt} puts it back`,
        });
  }
  if (closing !== null && where.state === 'unknown') {
    return trouble('failed', `a close of it was on its way, and ${where.text}`, {
      hint: 'what was said is recorded; rollcall status tells whether it stands once its server answers',
    });
  }
  return closing === null ? {} : { note: stoppedText(hands, key, closing.sequence) };
}

// Whoever closes holds the session's lock until its outcome is recorded; a killed one lets it go. A lock that cannot be had
// tells nothing.
async function isOver(hands: Hands, session: EntrySession): Promise<boolean> {
  const endsAt = awake(hands) + OUTLAST_MS;
  for (;;) {
    const taken = hands.locks.tryLock(sessionLock(session), { task: 'hold', argv: [] });
    if (taken.state === 'held') {
      taken.hold.release();
      return true;
    }
    if (awake(hands) >= endsAt) return false;
    await hands.wait(POLL_MS);
  }
}

function stoppedText(hands: Hands, key: string, intent: number): string {
  const isOutcome = ({ kind, cause }: LedgerEntry) => kind === 'outcome' && cause === intent;
  const body = hands.ledger.read({ about: key }).entries.find(isOutcome)?.body;
  const done = listIn(body?.rungs).flatMap((rung) => {
    const { rung: what, text } = objectIn(rung) ?? {};
    return what === 'archive' ? [] : (textIn(text) ?? []);
  });
  const far = done.length > 0 ? `: ${done.join('; ')}` : '';
  return `a close of it was on its way and stopped${far}`;
}
