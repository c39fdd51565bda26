import { toLogLine } from '../../contract/ledger-documents.ts';
import { receiptName } from '../../core/ledger/current-facts.ts';
import { isPartial, type LedgerEntry } from '../../core/ledger/entry.ts';
import type { JsonObject } from '../../core/ledger/json.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { age } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { fitLine, type Line, line, printLines } from '../render/line.ts';
import { tableRow } from '../render/table.ts';
import { damageLines } from './ledger-check.ts';

/** Where and how the log is printed. */
export interface LogPrinter extends Pick<Surroundings, 'stdout' | 'stderr' | 'now'> {
  readonly isJson: boolean;
  readonly isColor: boolean;
}

/** One line for each entry. */
export function printEntries(printer: LogPrinter, entries: readonly LedgerEntry[]): void {
  const { stdout, now, isJson, isColor } = printer;
  if (isJson) for (const entry of entries) stdout.write(`${JSON.stringify(toLogLine(entry))}\n`);
  else {
    const lines = entries.map((entry) => fitLine(entryLine(entry, now()), stdout.columns));
    stdout.write(printLines(lines, isColor));
  }
}

/** Beside the entries, not among them: whoever reads only those must not take it for one. */
export function printDamage({ stderr }: LogPrinter, damage: LedgerDamage): void {
  stderr.write(printLines(damageLines(damage, stderr.columns), false));
}

const COLUMNS = [{ width: 5, side: 'right' }, { width: 10 }, { width: 11 }, { width: 20 }, {}] as const;

/** One entry in one line: how long ago, what was done, to which session, and what came of it. */
function entryLine(entry: LedgerEntry, now: number): Line {
  const { at, action, session, sequence } = entry;
  const { text, tone } = upshot(entry);
  const { head, last } = tableRow(COLUMNS, [
    line(String(sequence), 'quiet'),
    line(age(at, now), 'quiet'),
    line(action),
    line(session?.name ?? '–'),
    line(text, tone),
  ]);
  return [...head, ...last];
}

const SOUND = new Set(['done', 'intact']);

/** What an entry says beyond its action; bodies name it in a few common ways. */
function upshot(entry: LedgerEntry): { readonly text: string; readonly tone?: Tone } {
  const { kind, body, cause } = entry;
  const { from, to } = body;
  const change = typeof from === 'string' && typeof to === 'string' ? `${from} → ${to}` : null;
  const common = [body.outcome, change, body.text, body.reason];
  const details = (GATE_WORDS[entry.action]?.(body) ?? common).filter((value) => typeof value === 'string');
  const detail = details.length === 0 ? '' : `: ${details.join(', ')}`;
  switch (kind) {
    case 'intent':
      return { text: `intent${detail}`, tone: 'quiet' };
    case 'outcome': {
      const result = typeof body.result === 'string' ? body.result : 'ended';
      return { text: `${result}${detail} (of ${cause})`, tone: SOUND.has(result) ? 'good' : 'alarm' };
    }
    case 'receipt':
      return isPartial(entry)
        ? { text: `partial receipt ${receiptName(entry)}${detail}`, tone: 'warning' }
        : { text: `receipt ${receiptName(entry)}${detail}`, tone: 'calm' };
    case 'declared':
      return { text: `declared${detail}` };
    case 'note':
      return { text: `note${detail}`, tone: 'warning' };
  }
}

// What the stop gate records has words of its own.
const GATE_WORDS: Readonly<Record<string, (body: JsonObject) => unknown[]>> = {
  'gate-start': ({ gate, task }) => [gate, task],
  'gate-stop': ({ verdict, reason, text }) => [verdict, reason, text],
  'gate-end': ({ phase, text }) => [phase, text],
  'gate-mode': ({ from, to, project }) => [`${from ?? 'none'} → ${to ?? 'none'}`, project],
  'gate-switch': ({ state, reason }) => [state, reason],
  'gate-passed': ({ stops }) => [`${stops} let through where nobody owns anything`],
};
