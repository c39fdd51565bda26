import type { EntryContent, LedgerEntry } from './entry.ts';
import { canonicalJson } from './json.ts';

/** SHA-256 of a text in UTF-8, in hexadecimal; the core computes no hashes itself. */
export type Digest = (text: string) => string;

/** Where a chain stands: its last entry. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
}

/** Where every chain begins. */
export const BEGINNING: Head = { sequence: 0, hash: '0'.repeat(64) };

/** Seals the next entry: its hash covers all of it and, through the previous hash, everything before it. */
export function chain(previous: Head, content: EntryContent, digest: Digest): LedgerEntry {
  const text = written({ ...content, sequence: previous.sequence + 1, previous: previous.hash });
  // Read back, so that whoever records has in hand what others will read.
  const entry = JSON.parse(text) as Omit<LedgerEntry, 'hash'>;
  return { ...entry, hash: digest(text) };
}

/** The hash that an entry should have. */
export function hashOf(entry: Omit<LedgerEntry, 'hash'>, digest: Digest): string {
  return digest(written(entry));
}

// Field by field: what is added to an entry later must not change the hashes of those that are stored.
function written(entry: Omit<LedgerEntry, 'hash'>): string {
  const { sequence, at, host, bootId, kind, action, cause, body, previous } = entry;
  const actor = { kind: entry.actor.kind, pid: entry.actor.pid, user: entry.actor.user };
  const session = entry.session && { key: entry.session.key, name: entry.session.name };
  return canonicalJson({ sequence, at, host, bootId, actor, kind, action, session, cause, body, previous });
}

/** The place of an entry in its chain. */
export function headAt({ sequence, hash }: Head): Head {
  return { sequence, hash };
}
