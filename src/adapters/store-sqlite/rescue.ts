import { closeSync, openSync, readSync } from 'node:fs';
import { type Digest, type Head, headAt } from '../../core/ledger/chain.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { verifyChain } from '../../core/ledger/verify-chain.ts';
import { unless } from '../../core/try-or.ts';
import { entryOf } from './entry-rows.ts';
import { cellsIn, PAGE, type RawCell, recordOf } from './raw-cells.ts';

/** Before the first page of a journal, and before each of its pages. */
const JOURNAL_HEADER = 32;
const FRAME_HEADER = 24;

/** A page as it lies in the database or in its journal; several versions of one page may lie there. */
interface Stored {
  readonly number: number;
  readonly bytes: Buffer;
}

/**
 * Entries that follow a head and are still in the files of a database, though SQLite cannot read them: a bad page, a lost
 * end or a torn journal hides others that are whole. Only what the chain proves counts, so it does not matter where it
 * lies. Never writes.
 */
export function* rescued(
  path: string,
  head: Head,
  anchors: readonly Head[],
  digest: Digest,
): Generator<LedgerEntry> {
  // What is known to be recorded; what SQLite had begun to write may never have been.
  const last =
    anchors.length === 0 ? Number.MAX_SAFE_INTEGER : Math.max(...anchors.map((one) => one.sequence));
  if (head.sequence >= last) return;
  const pages = [...pagesIn(path, PAGE, 0), ...pagesIn(`${path}-wal`, PAGE + FRAME_HEADER, JOURNAL_HEADER)];
  const cells = numbered(pages, head.sequence, last);
  const follow = (before: Head, cell: RawCell): LedgerEntry | null => {
    for (const payload of payloadsOf(cell, pages)) {
      const entry = entryOf(recordOf(payload), cell.sequence);
      const known = anchors.filter(({ sequence }) => sequence === cell.sequence);
      if (entry !== null && verifyChain([entry], digest, { base: before, anchors: known }).valid === 1)
        return entry;
    }
    return null;
  };
  for (let before = head; ; ) {
    const next = first(cells.get(before.sequence + 1) ?? [], (cell) => follow(before, cell));
    if (next === null) return;
    yield next;
    before = headAt(next);
  }
}

/** Whole pages of a file, each after a header of its own; what follows the last of them is cut off. */
function* pagesIn(path: string, step: number, from: number): Generator<Stored> {
  const file = unless('ENOENT', null, () => openSync(path, 'r'));
  if (file === null) return;
  try {
    for (let index = 0; ; index += 1) {
      const bytes = Buffer.alloc(step);
      const length = readSync(file, bytes, 0, step, from + index * step);
      const header = step - PAGE;
      if (length <= header) return;
      yield {
        number: header === 0 ? index + 1 : bytes.readUInt32BE(0),
        bytes: bytes.subarray(header, length),
      };
    }
  } finally {
    closeSync(file);
  }
}

/** Whatever may be an entry of these numbers, by its number. */
function numbered(pages: readonly Stored[], after: number, last: number): Map<number, RawCell[]> {
  const found = new Map<number, RawCell[]>();
  for (const { bytes } of pages) {
    for (const cell of cellsIn(bytes)) {
      if (cell.sequence <= after || cell.sequence > last) continue;
      const others = found.get(cell.sequence);
      if (others === undefined) found.set(cell.sequence, [cell]);
      else others.push(cell);
    }
  }
  return found;
}

/** What a cell holds, with its rest on other pages; once with the newest version of each of them, once with the oldest. */
function* payloadsOf(cell: RawCell, pages: readonly Stored[]): Generator<Buffer> {
  if (cell.next === null) {
    yield cell.local;
    return;
  }
  for (const order of [pages, [...pages].reverse()]) {
    const parts = [cell.local];
    let missing = cell.length - cell.local.length;
    let next: number = cell.next;
    while (missing > 0) {
      const bytes = order.find(({ number }) => number === next)?.bytes;
      if (bytes === undefined || bytes.length < 4) break;
      const part = bytes.subarray(4, 4 + Math.min(missing, PAGE - 4));
      if (part.length === 0) break;
      parts.push(part);
      missing -= part.length;
      next = bytes.readUInt32BE(0);
    }
    if (missing === 0) yield Buffer.concat(parts);
  }
}

function first<T, U>(all: readonly T[], look: (one: T) => U | null): U | null {
  for (const one of all) {
    const found = look(one);
    if (found !== null) return found;
  }
  return null;
}
