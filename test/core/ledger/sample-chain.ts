import { createHash } from 'node:crypto';
import { BEGINNING, chain, headAt } from '../../../src/core/ledger/chain.ts';
import type { EntryDraft, LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { contentOf } from '../../../src/core/ledger/entry.ts';

export const digest = (text: string) => createHash('sha256').update(text).digest('hex');

export const AUTHOR = { host: 'machine', bootId: 'boot', actor: { kind: 'cli', pid: 7, user: 'ann' } };

export const KEY = 'abcdef01.12345678.900.1234.s3.1700000000';

/** Entries that follow each other; each draft says only what matters to a test. */
export function chained(drafts: readonly Partial<EntryDraft>[]): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const [index, draft] of drafts.entries()) {
    const whole: EntryDraft = { kind: 'note', action: 'test', session: null, ...draft };
    const previous = entries.at(-1);
    const content = contentOf(whole, AUTHOR, 1000 + index);
    entries.push(chain(previous === undefined ? BEGINNING : headAt(previous), content, digest));
  }
  return entries;
}
