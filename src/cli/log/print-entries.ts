import { toLogLine } from '../../contract/ledger-documents.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { printLines } from '../render/line.ts';
import { damageLines } from './ledger-check.ts';
import { entryLine } from './ledger-entry.ts';

/** Where and how the log is printed. */
export interface LogPrinter extends Pick<Surroundings, 'stdout' | 'stderr' | 'now'> {
  readonly isJson: boolean;
  readonly isColor: boolean;
}

/** One line for each entry. */
export function printEntries(printer: LogPrinter, entries: readonly LedgerEntry[]): void {
  const { stdout, now, isJson, isColor } = printer;
  if (isJson) for (const entry of entries) stdout.write(`${JSON.stringify(toLogLine(entry))}\n`);
  else
    stdout.write(
      printLines(
        entries.map((entry) => entryLine(entry, now(), stdout.columns)),
        isColor,
      ),
    );
}

/** Beside the entries, not among them: whoever reads only those must not take it for one. */
export function printDamage({ stderr }: LogPrinter, damage: LedgerDamage): void {
  stderr.write(printLines(damageLines(damage, stderr.columns), false));
}
