import { readReceived } from '../core/close/bodies.ts';
import type { ArchiveCheck, Digests } from '../core/close/seal.ts';
import type { LedgerEntry } from '../core/ledger/entry.ts';
import type { Archive } from '../ports/archive.ts';

/** Collects what receipts say while somebody follows the ledger, and then compares the archives with it. */
export function createArchiveCheck(archive: Pick<Archive, 'differences'>): {
  begin(): (entry: LedgerEntry) => void;
  compare(): ArchiveCheck;
} {
  let receipts = new Map<string, Digests | null>();
  return {
    begin() {
      receipts = new Map();
      return ({ kind, action, body }) => {
        if (kind !== 'receipt' || (action !== 'close' && action !== 'hibernate')) return;
        const { receipt, archive, digests } = readReceived(body);
        if (receipt !== null && archive !== null) receipts.set(receipt, digests);
      };
    },
    compare() {
      const found = [...receipts].map(([receipt, digests]) => {
        return { receipt, digests, texts: digests && archive.differences(receipt, digests) };
      });
      return {
        compared: found.filter(({ texts }) => texts !== null).length,
        gone: found.filter(({ digests, texts }) => digests !== null && texts === null).length,
        unsealed: found.filter(({ digests }) => digests === null).length,
        changed: found.flatMap(({ receipt, texts }) => (texts ?? []).map((text) => ({ receipt, text }))),
      };
    },
  };
}
