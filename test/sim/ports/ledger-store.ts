import { BEGINNING, chain, type Head, headAt } from '../../../src/core/ledger/chain.ts';
import { type Folded, foldFacts, UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
import { type Author, contentOf, type EntryDraft, type LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { withoutSettled } from '../../../src/core/ledger/settled.ts';
import { verifyChain } from '../../../src/core/ledger/verify-chain.ts';
import type { Install } from '../machine/install.ts';
import { digest } from './digest.ts';

/** The ledger of an install: the real chain and the real fold over entries in memory, durable as soon as they are appended. */
export class LedgerStore {
  readonly entries: LedgerEntry[] = [];
  head: Head = BEGINNING;
  folded: Folded = UNFOLDED;

  append(draft: EntryDraft, author: Author, at: number): LedgerEntry {
    const entry = chain(this.head, contentOf(draft, author, at), digest);
    this.entries.push(entry);
    this.head = headAt(entry);
    this.folded = withoutSettled(foldFacts(this.folded, [entry]), author);
    return entry;
  }

  /** Follows all of it. */
  check() {
    return verifyChain(this.entries, digest, { anchors: [this.head] });
  }
}

const stores = new WeakMap<Install, LedgerStore>();

/** The one ledger of an install, whoever asks. */
export function ledgerOf(install: Install): LedgerStore {
  const store = stores.get(install) ?? new LedgerStore();
  stores.set(install, store);
  return store;
}
