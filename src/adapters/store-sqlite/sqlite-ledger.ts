import type { Head } from '../../core/ledger/chain.ts';
import { entriesAbout } from '../../core/ledger/entries-about.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { lossBy } from '../../core/ledger/loss.ts';
import type { Ledger, LedgerCheck, LedgerReading, LedgerSelection } from '../../ports/ledger.ts';
import { sha256 } from '../files/digest.ts';
import { loadSqlite } from '../native/load-sqlite.ts';
import { checkLedger, type LedgerQuestion } from './check-ledger.ts';
import { EntryMalformed } from './entry-rows.ts';
import { createFold } from './fold-ledger.ts';
import { ledgerMark } from './ledger-mark.ts';
import type { LedgerPlace, SqliteLedgerOptions } from './place.ts';
import { repair } from './repair.ts';
import { MIGRATIONS } from './schema.ts';
import { selectAbout } from './select-entries.ts';
import { isDamage, ledgerError, toLedgerError } from './sqlite-problem.ts';
import { append, disconnect, type WriterSlot } from './writer.ts';

const DEFAULTS = {
  checkpoint: { load: () => ({ state: 'empty' }), save: () => undefined },
  busyTimeoutMs: 5000,
  ticks: () => null,
  migrations: MIGRATIONS,
};

/** Opens the ledger of a folder. Nothing is made before the first entry is recorded. */
export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<Ledger> {
  const { folder } = options;
  const Database = await loadSqlite();
  if (Database === null)
    throw ledgerError('unavailable', folder, 'this Node.js cannot open SQLite databases');
  const place: LedgerPlace = { ...DEFAULTS, ...options, Database, digest: sha256 };
  const stillness = createStillness(folder);
  const connection: WriterSlot = { writer: null };
  const fold = createFold(place);
  const readAbout = createReadAbout(place);
  return {
    append: (draft) => append(place, draft, connection),
    facts() {
      try {
        return fold();
      } catch (error) {
        throw toLedgerError(error, folder);
      }
    },
    read(selection = {}) {
      const { after } = selection;
      if (after && stillness.isStill(after)) {
        return { isEmpty: false, entries: [], head: after, damage: null };
      }
      return stillness.noting(() => readSelected(place, selection, readAbout));
    },
    scan: (begin) => checkLedger(place, { begin }).reach,
    verify: (begin) => verify(place, begin),
    repair: () => repair(place),
    close: () => disconnect(connection),
  };
}

function verify(place: LedgerPlace, begin: () => (entry: LedgerEntry) => void = () => () => {}): LedgerCheck {
  let [count, firstAt, lastAt]: [number, number | null, number | null] = [0, null, null];
  let open = new Set<number>();
  let repairs: LedgerEntry[] = [];
  const { reach, path, anchor } = checkLedger(place, {
    isThorough: true,
    begin() {
      [count, firstAt, lastAt, open, repairs] = [0, null, null, new Set(), []];
      const visit = begin();
      return (entry) => {
        count += 1;
        firstAt ??= entry.at;
        lastAt = entry.at;
        if (entry.kind === 'intent') open.add(entry.sequence);
        if (entry.kind === 'outcome') open.delete(entry.cause as number);
        if (lossBy(entry) !== null) repairs.push(entry);
        visit(entry);
      };
    },
  });
  return { ...reach, path, anchor, count, firstAt, lastAt, openIntents: [...open], repairs };
}

type ReadAbout = (word: string, isWanted: (entry: LedgerEntry) => boolean) => LedgerReading;

function readSelected(place: LedgerPlace, selection: LedgerSelection, readAbout: ReadAbout): LedgerReading {
  const { after, last, about, since } = selection;
  const isWanted = ({ at }: LedgerEntry) => since === undefined || at >= since;
  if (about !== undefined) return readAbout(about, isWanted);
  const asked = { ...(after && { base: after }), ...(last !== undefined && { last }) };
  const part = collected(place, asked, isWanted);
  // Where the end does not hold, what can be relied on is somewhere before it.
  if (last === undefined || part.damage === null) return part;
  const { entries, ...reach } = collected(place, {}, isWanted);
  return { ...reach, entries: entries.slice(-last), damage: reach.damage ?? part.damage };
}

/** So many entries are followed in the time of a blink. */
const FOLLOWED = 2000;

/**
 * Finds entries by the names in them. A name that was changed by accident hides its entry: a ledger of usual length is
 * followed whole once before that, a longer one only to prove that nothing was ever recorded.
 */
function createReadAbout(place: LedgerPlace): ReadAbout {
  const unseen = () => () => {};
  let isFollowed = false;
  const wholeReach = () => {
    const { reach } = checkLedger(place, { begin: unseen });
    isFollowed = reach.damage === null;
    return reach;
  };
  return (word, isWanted) => {
    const { file, reach: end } = checkLedger(place, { last: 1, begin: unseen });
    if (end.damage === null && !end.isEmpty) {
      try {
        const found = selectAbout(place, file, word);
        const isUnsure = found.length === 0 || (!isFollowed && end.head.sequence <= FOLLOWED);
        const reach = isUnsure ? wholeReach() : end;
        if (reach.damage === null) return { ...end, entries: found.filter(isWanted) };
      } catch (error) {
        if (!(error instanceof EntryMalformed) && !isDamage(error)) throw toLedgerError(error, place.folder);
      }
    }
    const { entries, ...reach } = collected(place, {}, () => true);
    return { ...reach, entries: entriesAbout(entries, word).filter(isWanted) };
  };
}

function collected(
  place: LedgerPlace,
  question: Pick<LedgerQuestion, 'base' | 'last'>,
  isWanted: (entry: LedgerEntry) => boolean,
): LedgerReading {
  let entries: LedgerEntry[] = [];
  const { reach } = checkLedger(place, {
    ...question,
    begin() {
      entries = [];
      return (entry) => {
        if (isWanted(entry)) entries.push(entry);
      };
    },
  });
  return { ...reach, entries };
}

/** Knows without opening anything that nothing came since the last reading, for whoever asks again and again. */
function createStillness(folder: string) {
  let seen: { readonly mark: string; readonly hash: string } | null = null;
  return {
    /** Whether the files are those of a reading that ended with this entry. */
    isStill: ({ hash }: Head) => seen !== null && seen.hash === hash && seen.mark === ledgerMark(folder).text,
    noting(read: () => LedgerReading): LedgerReading {
      const { text, isSettled } = ledgerMark(folder);
      const reading = read();
      seen = isSettled && reading.damage === null ? { mark: text, hash: reading.head.hash } : null;
      return reading;
    },
  };
}
