import { BEGINNING, type Head } from '../core/ledger/chain.ts';
import type { LedgerEntry } from '../core/ledger/entry.ts';
import type { Ledger, LedgerReading } from '../ports/ledger.ts';

/** The end of the ledger, kept so that asking for what is new does not read all of it again. */
export interface LedgerTail {
  /** Takes in what was recorded since; throws a LedgerError where it cannot be read. */
  follow(): void;
  /** Entries from this time on, the oldest first: a page of those after one of them, or the newest ones. */
  page(wish: LedgerPage): { readonly entries: readonly LedgerEntry[]; readonly next: number | null };
  readonly head: Head;
  readonly damage: LedgerReading['damage'];
  readonly last: LedgerEntry | null;
  readonly openIntents: readonly LedgerEntry[];
  /** How many entries were recorded after a time, among those that are kept. */
  since(at: number): number;
}

export interface LedgerPage {
  readonly after: number | null;
  readonly since: number | null;
  readonly limit: number;
}

const KEPT = 2000;

export function createLedgerTail(ledger: Pick<Ledger, 'read' | 'scan' | 'facts'>): LedgerTail {
  let head: Head = BEGINNING;
  let damage: LedgerReading['damage'] = null;
  let kept: readonly LedgerEntry[] = [];
  let open: readonly LedgerEntry[] = [];
  let isRead = false;

  const follow = () => {
    // After a damage it is read anew: it may have been repaired.
    const isAnew = !isRead || damage !== null;
    const reading = isAnew ? ledger.read({ last: KEPT }) : ledger.read({ after: head });
    const whole = !isAnew && reading.damage !== null ? ledger.read({ last: KEPT }) : reading;
    const isWhole = isAnew || whole !== reading;
    ({ head, damage } = whole);
    isRead = true;
    if (!isWhole && whole.entries.length === 0) return;
    const facts = ledger.facts();
    damage ??= facts.damage;
    open = [...facts.folded.openIntents.values()];
    kept = [...(isWhole ? [] : kept), ...whole.entries].slice(-KEPT);
  };

  /** Everything from an entry on: what is kept where that reaches back far enough, else the ledger itself. */
  const from = (wish: LedgerPage): readonly LedgerEntry[] => {
    const { after, since } = wish;
    const oldest = kept[0];
    const isKept =
      oldest === undefined ||
      oldest.sequence === 1 ||
      (after !== null && after >= oldest.sequence - 1) ||
      // The clock may have been set back meanwhile, so a time alone proves nothing about what is older.
      (after === null && since === null);
    const isWanted = ({ sequence, at }: LedgerEntry) =>
      (after === null || sequence > after) && (since === null || at >= since);
    const found = kept.filter(isWanted);
    if (isKept || (after === null && found.length >= wish.limit)) return found;
    return scanned(ledger, isWanted, wish);
  };

  return {
    follow,
    page(wish) {
      const found = from(wish);
      const isNewest = wish.after === null;
      const entries = isNewest ? found.slice(-wish.limit) : found.slice(0, wish.limit);
      const last = entries.at(-1);
      return { entries, next: !isNewest && last && found.length > wish.limit ? last.sequence : null };
    },
    get head() {
      return head;
    },
    get damage() {
      return damage;
    },
    get last() {
      return kept.at(-1) ?? null;
    },
    get openIntents() {
      return open;
    },
    since: (at) => kept.filter((entry) => entry.at > at).length,
  };
}

/** The last entries that are wanted; after an entry, the first ones and one more, which tells that there are more. */
function scanned(
  ledger: Pick<Ledger, 'scan'>,
  isWanted: (entry: LedgerEntry) => boolean,
  { after, limit }: LedgerPage,
): readonly LedgerEntry[] {
  let found: LedgerEntry[] = [];
  ledger.scan(() => {
    found = [];
    return (entry) => {
      if (!isWanted(entry) || (after !== null && found.length > limit)) return;
      found.push(entry);
      if (after === null && found.length > limit) found.shift();
    };
  });
  return found;
}
