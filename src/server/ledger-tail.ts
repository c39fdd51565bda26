import type { Head } from '../core/ledger/chain.ts';
import { BEGINNING } from '../core/ledger/chain.ts';
import type { LedgerEntry } from '../core/ledger/entry.ts';
import { openIntents } from '../core/ledger/open-intents.ts';
import type { Ledger, LedgerReading } from '../ports/ledger.ts';

/** The end of the ledger, kept so that asking for what is new does not read all of it again. */
export interface LedgerTail {
  /** Takes in what was recorded since; throws a LedgerError where it cannot be read. */
  follow(): void;
  /** Entries after this one, and from this time on, the oldest first. */
  page(wish: Page): { readonly entries: readonly LedgerEntry[]; readonly next: number | null };
  readonly head: Head;
  readonly damage: LedgerReading['damage'];
  readonly isSound: boolean;
  readonly last: LedgerEntry | null;
  readonly openIntents: readonly LedgerEntry[];
  /** How many entries were recorded after a time, among those that are kept. */
  since(at: number): number;
}

export interface Page {
  readonly after: number | null;
  readonly since: number | null;
  readonly limit: number;
}

const KEPT = 2000;

export function createLedgerTail(ledger: Pick<Ledger, 'read'>): LedgerTail {
  let head: Head = BEGINNING;
  let damage: LedgerReading['damage'] = null;
  let kept: readonly LedgerEntry[] = [];
  let open: readonly LedgerEntry[] = [];
  let isRead = false;

  const follow = () => {
    // After a damage the chain is followed from its beginning: it may have been repaired.
    const isAnew = !isRead || damage !== null;
    const reading = isAnew ? ledger.read() : ledger.read({ after: head });
    const whole = !isAnew && reading.damage !== null ? ledger.read() : reading;
    const isWhole = isAnew || whole !== reading;
    ({ head, damage } = whole);
    isRead = true;
    if (!isWhole && whole.entries.length === 0) return;
    kept = [...(isWhole ? [] : kept), ...whole.entries].slice(-KEPT);
    open = openIntents([...(isWhole ? [] : open), ...whole.entries]);
  };

  /** Everything from an entry on: what is kept where that reaches back far enough, else the ledger itself. */
  const from = ({ after, since }: Page): readonly LedgerEntry[] => {
    const oldest = kept[0];
    const isKept =
      oldest === undefined ||
      oldest.sequence === 1 ||
      (after !== null && after >= oldest.sequence - 1) ||
      // The clock may have been set back meanwhile, so a time alone proves nothing about what is older.
      (after === null && since === null);
    const all = isKept ? kept : ledger.read().entries;
    return all.filter(
      ({ sequence, at }) => (after === null || sequence > after) && (since === null || at >= since),
    );
  };

  return {
    follow,
    page(wish) {
      const found = from(wish);
      const isNewest = wish.after === null && wish.since === null;
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
    get isSound() {
      return damage === null;
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
