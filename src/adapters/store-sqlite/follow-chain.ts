import { basename } from 'node:path';
import { BEGINNING, type Head } from '../../core/ledger/chain.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { type LedgerDamage, verifyChain } from '../../core/ledger/verify-chain.ts';
import type { Database } from '../native/load-sqlite.ts';
import { EntryMalformed, lastSequence, selectEntries } from './entry-rows.ts';
import type { LedgerPlace } from './place.ts';
import { versionOf } from './schema.ts';
import { isDamage } from './sqlite-problem.ts';

/** How far a database can be relied on. */
export interface DatabaseRead {
  readonly head: Head;
  readonly damage: LedgerDamage | null;
}

/** Takes one entry after the other. */
export type Visit = (entry: LedgerEntry) => void;

export interface DatabaseQuestion {
  /** Entries that are known to be there. */
  readonly anchors: readonly Head[];
  /** Where an earlier reading ended; the chain is followed from there. */
  readonly base?: Head;
  /** Only so many, the last ones. */
  readonly last?: number;
  /** Also have SQLite look through every page. */
  readonly isThorough: boolean;
  /** Called whenever the look is begun anew: what was visited before counts no more. */
  readonly begin: () => Visit;
}

/** A body may have a quarter of a million characters: so many of them are in memory at a time. */
const ROWS_AT_ONCE = 100;

/** Follows the chain from where the question begins, a few rows at a time, to the first that does not hold. */
export function followChain(
  place: LedgerPlace,
  path: string,
  database: Database,
  question: DatabaseQuestion,
): DatabaseRead {
  const { base = BEGINNING } = question;
  const visit = question.begin();
  const isTail = base.sequence > 0;
  const known = [...(isTail ? [base] : []), ...question.anchors];
  const first = firstOf(database, question);
  let head = BEGINNING;
  let isBegun = false;
  for (const { entries, damage } of stored(database, path, first)) {
    // Of a part the chain before it is not followed: its first entry says what it follows.
    if (!isBegun && first > 1) head = { sequence: first - 1, hash: entries[0]?.previous ?? '' };
    const check = verifyChain(entries, place.digest, { base: head, anchors: upTo(known, entries) });
    for (const entry of entries.slice(isTail && !isBegun ? 1 : 0, check.valid)) visit(entry);
    ({ head } = check);
    isBegun = true;
    if (check.damage !== null) return { head, damage: diagnosed(place, path, database, known, check.damage) };
    // What cannot be read is not missing.
    if (damage !== null) return { head, damage };
  }
  return { head, damage: verifyChain([], place.digest, { base: head, anchors: known }).damage };
}

// Of a tail the last entry that was read before comes again: it has to be there still, and the rest has to follow it.
function firstOf(database: Database, { base = BEGINNING, last }: DatabaseQuestion): number {
  if (versionOf(database) === 0) return 1;
  return last === undefined ? Math.max(1, base.sequence) : Math.max(1, lastSequence(database) - last + 1);
}

function upTo(known: readonly Head[], entries: readonly LedgerEntry[]): readonly Head[] {
  const last = entries.at(-1)?.sequence ?? 0;
  return known.filter(({ sequence }) => sequence <= last);
}

/** All entries from a number on, up to the first that cannot be read: the damage says why. */
function* stored(
  database: Database,
  path: string,
  first: number,
): Generator<{ readonly entries: readonly LedgerEntry[]; readonly damage: LedgerDamage | null }> {
  if (versionOf(database) === 0) return;
  let next = first;
  let limit = ROWS_AT_ONCE;
  for (;;) {
    try {
      const entries = selectEntries(database, next, limit);
      yield { entries, damage: null };
      if (entries.length < limit) return;
      next = (entries.at(-1) as LedgerEntry).sequence + 1;
    } catch (error) {
      const isMalformed = error instanceof EntryMalformed;
      if (!isMalformed && !isDamage(error)) throw error;
      // Those before the bad one, one by one.
      if (limit > 1) limit = 1;
      else {
        const damage = isMalformed
          ? ({ reason: 'changed', sequence: next, text: error.message } as const)
          : unreadable(path, next, (error as Error).message);
        yield { entries: [], damage };
        return;
      }
    }
  }
}

/** Entries around a break by which it is told what was done: moved, copied, left out. */
const AROUND = 2000;

function diagnosed(
  place: LedgerPlace,
  path: string,
  database: Database,
  known: readonly Head[],
  damage: LedgerDamage,
): LedgerDamage {
  const first = Math.max(1, damage.sequence - AROUND);
  const around: LedgerEntry[] = [];
  for (const { entries } of stored(database, path, first)) {
    around.push(...entries);
    if (around.length > 2 * AROUND) break;
  }
  const base = first === 1 ? BEGINNING : { sequence: first - 1, hash: around[0]?.previous ?? '' };
  const again = verifyChain(around, place.digest, { base, anchors: upTo(known, around) }).damage;
  return again?.sequence === damage.sequence ? again : damage;
}

/** The damage of what cannot even be read. */
export function unreadable(path: string, sequence: number, text: string): LedgerDamage {
  return {
    reason: 'unreadable',
    sequence,
    text: `${basename(path)} cannot be read from entry ${sequence} on: ${text}`,
  };
}
