import { BEGINNING } from '../../core/ledger/chain.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { visible } from '../../core/text/visible.ts';
import type { LogWish } from '../../operations/at.ts';
import { selectionFor, wished } from '../../operations/log.ts';
import type { Ledger, LedgerReading } from '../../ports/ledger.ts';
import { ENDINGS, onInterrupt } from '../frame/interrupt.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { type LogPrinter, printDamage, printEntries } from './print-entries.ts';

const POLL_MS = 200;

/** Prints what there is and then each new entry, until it is told to end or the ledger turns out to be damaged. */
export async function followLedger(
  ledger: Ledger,
  wish: LogWish,
  printer: LogPrinter,
  surroundings: Pick<Surroundings, 'onSignal'>,
): Promise<number> {
  const { pause, release } = onInterrupt(surroundings, ENDINGS);
  const read = patientReader(ledger, printer);
  // An entry may concern a session only through an earlier one, so those are kept.
  let known: readonly LedgerEntry[] = [];
  let head = BEGINNING;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const reading = isFirst ? ledger.read(selectionFor(wish)) : read(head);
      if (reading !== null) {
        const earlier = wish.session === undefined ? [] : known;
        if (reading.entries.length > 0) known = [...earlier, ...reading.entries];
        printEntries(
          printer,
          isFirst ? wished(known, wish).slice(-(wish.limit ?? known.length)) : fresh(known, reading, wish),
        );
        if (reading.damage !== null) {
          printDamage(printer, reading.damage);
          return 1;
        }
        head = reading.head;
      }
      if ((await pause(POLL_MS)) === 'ended') return 0;
    }
  } finally {
    release();
  }
}

/** Those of the new entries that the reader wants; the limit was for the beginning. */
function fresh(known: readonly LedgerEntry[], { entries }: LedgerReading, wish: LogWish): LedgerEntry[] {
  const [first] = entries;
  if (first === undefined) return [];
  return wished(known, wish).filter(({ sequence }) => sequence >= first.sequence);
}

/** Gives null for what cannot be read at the moment, for example while another process holds it, and complains once. */
function patientReader(
  ledger: Ledger,
  { stderr }: LogPrinter,
): (head: typeof BEGINNING) => LedgerReading | null {
  let complained = '';
  return (head) => {
    try {
      const reading = ledger.read(head.sequence === 0 ? {} : { after: head });
      complained = '';
      return reading;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      if (error.message !== complained) stderr.write(`! the ledger: ${visible(error.message)}\n`);
      complained = error.message;
      return null;
    }
  };
}
