import type { Head } from '../../core/ledger/chain.ts';
import type { LedgerReading } from '../../ports/ledger.ts';
import { ledgerMark } from './ledger-mark.ts';

/** Knows without opening anything that nothing came since the last reading, for whoever asks again and again. */
export function createStillness(folder: string): {
  /** Whether the files are those of a reading that ended with this entry. */
  isStill(after: Head): boolean;
  noting<Reading extends LedgerReading>(read: () => Reading): Reading;
} {
  let seen: { readonly mark: string; readonly hash: string } | null = null;
  return {
    isStill: ({ hash }) => seen !== null && seen.hash === hash && seen.mark === ledgerMark(folder).text,
    noting(read) {
      const { text, isSettled } = ledgerMark(folder);
      const reading = read();
      seen = isSettled && reading.damage === null ? { mark: text, hash: reading.head.hash } : null;
      return reading;
    },
  };
}
