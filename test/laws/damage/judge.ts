import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openSqliteLedger } from '../../../src/adapters/store-sqlite/sqlite-ledger.ts';
import { headAt } from '../../../src/core/ledger/chain.ts';
import { foldFacts, UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
import { entriesAbout } from '../../../src/core/ledger/entries-about.ts';
import type { EntryDraft, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { type Damage, damaged } from './case.ts';
import { letGo } from './let-go.ts';
import { provableAfter } from './provable.ts';
import { AUTHOR, filesIn, type Sample, writeFiles } from './sample.ts';

/** What became of one damage. */
export interface Judged {
  /** Why reading ends early; `whole` where every entry can be read. */
  readonly reason: string;
  /** Entries that can be relied on, and those that the repair kept. */
  readonly read: number;
  readonly kept: number;
  readonly violations: readonly string[];
}

const HOLD: EntryDraft = {
  kind: 'declared',
  action: 'hold',
  session: { key: 'machine.boot.1.2.s9.3', name: 'late' },
  body: { reason: 'late' },
};

type Say = (text: string) => void;

/**
 * Looks at damaged files, records onto them, repairs them, each in a copy; tells what went wrong. `isThorough`: also in
 * every other way of reading.
 */
export async function judge(
  folder: string,
  sample: Sample,
  damage: Damage,
  isThorough: boolean,
): Promise<Judged> {
  const files = damaged(sample, damage);
  const violations: string[] = [];
  const say: Say = (text) => violations.push(text);
  const all = sample.entries;
  const within = async <T>(name: string, work: (ledger: Ledger, path: string) => T): Promise<T | null> => {
    const path = join(folder, name);
    writeFiles(path, files);
    const ledger = await openSqliteLedger({ folder: path, author: AUTHOR, now: () => 1_800_000_000_000 });
    try {
      return work(ledger, path);
    } catch (error) {
      say(`${name}: ${words(error)}`);
      return null;
    } finally {
      ledger.close();
      if (isThorough) await letGo();
    }
  };
  let looked: Looked = FAILED;
  if (isThorough) {
    looked = (await within('look', (ledger) => look(ledger, all, isThorough, say))) ?? FAILED;
    unchanged(join(folder, 'look'), files, 'a look', say);
    const isRefused = await within('append', (ledger) => append(ledger, looked, all, say));
    if (isRefused) unchanged(join(folder, 'append'), files, 'a refused entry', say);
  }
  const work = (ledger: Ledger) => {
    if (!isThorough) looked = look(ledger, all, isThorough, say);
    return repair(ledger, looked, all, isThorough, say);
  };
  const kept = (await within('repair', work)) ?? 0;
  if (looked.reason !== 'whole') unchanged(join(folder, 'repair'), files, 'a repair', say);
  const provable = provableAfter(sample, damage);
  if (kept < provable) say(`the repair keeps ${kept} entries, and ${provable} are whole in the files`);
  return { ...looked, kept, violations };
}

const FAILED = { reason: 'failed', read: 0 };

type Looked = Pick<Judged, 'reason' | 'read'>;

function look(ledger: Ledger, all: readonly LedgerEntry[], isThorough: boolean, say: Say): Looked {
  const visited: LedgerEntry[] = [];
  const check = ledger.verify(() => {
    visited.length = 0;
    return (entry) => visited.push(entry);
  });
  const { damage, count, head } = check;
  const good = all.slice(0, count);
  if (!isDeepStrictEqual(visited, good)) say(`verify visits what is not a prefix: ${visited.length}`);
  if (damage === null && count !== all.length)
    say(`verify finds ${count} of ${all.length} entries, and no damage`);
  if (damage !== null && damage.sequence !== count + 1) say(`damage at ${damage.sequence}, after ${count}`);
  if (count > 0 && !isDeepStrictEqual(head, headAt(all[count - 1] as LedgerEntry))) say('another head');
  if (check.isEmpty) say('it is called empty');
  if (!isThorough) return { reason: damage?.reason ?? 'whole', read: count };
  readings(ledger, all, say);
  const facts = ledger.facts();
  const isRight = isDeepStrictEqual(facts.folded.facts, foldFacts(UNFOLDED, all).facts);
  if (facts.damage === null && !isRight) say('other facts, and no damage');
  return { reason: damage?.reason ?? 'whole', read: count };
}

/** Part of a ledger may be read without the rest: what is given is true, and all that was asked for, or it is called damaged. */
function readings(ledger: Ledger, all: readonly LedgerEntry[], say: Say): void {
  const middle = headAt(all[Math.floor(all.length / 2)] as LedgerEntry);
  const asked = [
    ['all', ledger.read(), all],
    ['the last 3', ledger.read({ last: 3 }), all.slice(-3)],
    ['what came after', ledger.read({ after: middle }), all.slice(middle.sequence)],
    ['those about a session', ledger.read({ about: 'build' }), entriesAbout(all, 'build')],
  ] as const;
  for (const [name, { entries, damage }, expected] of asked) {
    const isFalse = entries.some((entry) => !isDeepStrictEqual(entry, all[entry.sequence - 1]));
    if (isFalse) say(`${name}: one of them is false`);
    if (damage === null && !isDeepStrictEqual(entries, expected))
      say(`${name}: ${entries.length} of ${expected.length}, and no damage`);
  }
}

/** Whether it was refused. */
function append(ledger: Ledger, looked: Looked, all: readonly LedgerEntry[], say: Say): boolean {
  try {
    const { sequence } = ledger.append(HOLD);
    if (sequence !== all.length + 1) say(`an entry got number ${sequence}`);
  } catch (error) {
    if (looked.reason === 'whole') say(`append to a whole ledger: ${words(error)}`);
    if (!(error instanceof LedgerError) || error.code !== 'damaged' || error.hint !== 'run: rollcall verify')
      say(`append: ${words(error)}`);
    return true;
  }
  const { damage, count } = ledger.verify();
  if (looked.reason === 'whole' && (damage !== null || count !== all.length + 1))
    say('an entry damaged a whole ledger');
  if (looked.reason !== 'whole' && damage === null) say('an entry made a damaged ledger look whole');
  return false;
}

/** Entries that it kept. */
function repair(
  ledger: Ledger,
  looked: Looked,
  all: readonly LedgerEntry[],
  isThorough: boolean,
  say: Say,
): number {
  const done = ledger.repair();
  if ((done.state === 'intact') !== (looked.reason === 'whole'))
    say(`repair: ${done.state}, but ${looked.reason}`);
  const kept = done.state === 'intact' ? all.length : done.kept;
  if (kept < looked.read) say(`the repair keeps ${kept} of ${looked.read}`);
  const { entries, damage } = ledger.read();
  if (damage !== null) say(`damaged after the repair: ${damage.text}`);
  const notes = entries.slice(kept);
  if (!isDeepStrictEqual(entries.slice(0, kept), all.slice(0, kept))) say('the repair keeps something else');
  if (notes.length !== (done.state === 'intact' ? 0 : 1)) say(`${notes.length} notes`);
  if (!isThorough) return kept;
  const { sequence } = ledger.append(HOLD);
  if (sequence !== entries.length + 1) say(`after the repair an entry got number ${sequence}`);
  if (ledger.verify().damage !== null) say('damaged by the entry after the repair');
  if (ledger.repair().state !== 'intact') say('a second repair repairs');
  return kept;
}

/** The damaged files stay as they are: what cannot be relied on may still be wanted. */
function unchanged(folder: string, files: Readonly<Record<string, Buffer>>, by: string, say: Say): void {
  const now = filesIn(folder);
  for (const [name, bytes] of Object.entries(files)) {
    if (!/^ledger\.db/.test(name)) continue;
    const other = now[name];
    if (other === undefined) say(`${name} is gone after ${by}`);
    else if (!other.equals(bytes)) say(`${name} was changed by ${by}`);
  }
}

function words(error: unknown): string {
  if (error instanceof LedgerError)
    return `${error.code}: ${error.message.replace(/^.*\//, '')} (${error.hint})`;
  return `${(error as Error).name} ${(error as Error).message}`;
}
