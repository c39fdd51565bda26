import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { Hold } from '../../ports/lock.ts';
import type { Hands } from './hands.ts';

/** Why a deed does nothing more. */
export interface Lost {
  readonly text: string;
  /** Somebody else has recorded how it ended. */
  readonly isTold: boolean;
}

/** Tells why a deed is not to go on; null while its intent is open and its session is locked for it. */
export type AskLost = () => Lost | null;

/**
 * A deed that stood still may find that others went on without it: its state folder was put back from a copy, or its lock file
 * was removed, and somebody who could not see its lock has found out what became of it. What they said of the session holds
 * by now, and not what the deed was decided on. The ledger is read by its path, as others read it: the one that is open may
 * be the one that was taken away.
 */
export function askLost(
  { ledger }: Pick<Hands, 'ledger'>,
  hold: Pick<Hold, 'isInPlace'>,
  { sequence, hash }: Pick<LedgerEntry, 'sequence' | 'hash'>,
): AskLost {
  return () => {
    const isInPlace = hold.isInPlace();
    const { folded, damage } = ledger.facts();
    if (damage !== null)
      return { text: `the ledger does not tell whether it may: ${damage.text}`, isTold: false };
    if (folded.openIntents.get(sequence)?.hash !== hash) {
      return { text: 'its intent was closed by somebody else', isTold: true };
    }
    return isInPlace ? null : { text: 'the file of its lock was removed or replaced', isTold: false };
  };
}

/** Thrown in the place of a step of a deed that is not to go on. */
export class LostDeed extends LedgerError {
  constructor({ text }: Lost) {
    super('invalid', text, LOST_HINT);
  }
}

export const LOST_HINT = 'nothing more was done; rollcall log tells what became of it';
