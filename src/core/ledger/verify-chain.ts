import { BEGINNING, type Digest, type Head, hashOf, headAt } from './chain.ts';
import type { LedgerEntry } from './entry.ts';

/** What is wrong with a ledger: with its chain of entries, or with its files. */
const CHAIN_REASONS = ['changed', 'missing', 'reordered', 'duplicated', 'cut-off'] as const;
const FILE_REASONS = ['unreadable', 'database-missing', 'anchor-missing', 'anchor-unreadable'] as const;
export const DAMAGE_REASONS = [...CHAIN_REASONS, ...FILE_REASONS];

export type ChainReason = (typeof CHAIN_REASONS)[number];

/** Why a ledger cannot be relied on, and from which entry on. */
export interface LedgerDamage {
  readonly reason: (typeof DAMAGE_REASONS)[number];
  /** The first entry that cannot be relied on; everything before it can. */
  readonly sequence: number;
  readonly text: string;
}

/** How far a chain holds. */
export interface ChainCheck {
  /** Entries from the first on that hold together. */
  readonly valid: number;
  readonly head: Head;
  readonly damage: LedgerDamage | null;
}

export interface ChainBounds {
  /** What the first entry has to follow. */
  readonly base?: Head;
  /** Entries that are known from elsewhere to have been recorded, so that a tail that was cut off is missed. */
  readonly anchors?: readonly Head[];
}

/** Follows a chain in the order in which it is stored, to the first place that does not hold. */
export function verifyChain(
  entries: readonly LedgerEntry[],
  digest: Digest,
  { base = BEGINNING, anchors = [] }: ChainBounds = {},
): ChainCheck {
  let head = base;
  for (const [index, entry] of entries.entries()) {
    const damage = breakAt({ entries, index, entry, head, digest }) ?? rewritten(entry, anchors);
    if (damage !== null) return { valid: index, head, damage };
    head = headAt(entry);
  }
  return { valid: entries.length, head, damage: cutOff(head, anchors) };
}

interface Place {
  readonly entries: readonly LedgerEntry[];
  readonly index: number;
  readonly entry: LedgerEntry;
  /** The last entry that holds. */
  readonly head: Head;
  readonly digest: Digest;
}

function breakAt(place: Place): LedgerDamage | null {
  const { entry, head, digest } = place;
  if (entry.sequence !== head.sequence + 1) return outOfStep(place);
  if (entry.hash !== hashOf(entry, digest)) return notGenuine(place);
  return entry.previous === head.hash ? null : notNext(place);
}

function outOfStep({ entries, index, entry, head }: Place): LedgerDamage {
  const expected = head.sequence + 1;
  if (entry.sequence < expected) return damage('duplicated', expected, `entry ${entry.sequence} comes again`);
  const isLater = entries.slice(index).some(({ sequence }) => sequence === expected);
  if (isLater) {
    return damage('reordered', expected, `entry ${entry.sequence} stands where entry ${expected} belongs`);
  }
  return damage('missing', expected, `${span(expected, entry.sequence - 1)} missing`);
}

function notGenuine(place: Place): LedgerDamage {
  const { entries, index, entry, head } = place;
  const { sequence } = entry;
  const twin = entries.slice(0, index).find(({ hash }) => hash === entry.hash);
  if (twin !== undefined) {
    return damage('duplicated', sequence, `entry ${sequence} is a copy of entry ${twin.sequence}`);
  }
  const original = originalNumber(place);
  if (original === null) {
    return damage('changed', sequence, `entry ${sequence} was changed: its hash does not fit what it says`);
  }
  // The one that really follows is still there, only not here.
  if (entries.some(({ previous }) => previous === head.hash)) {
    return damage('reordered', sequence, `entry ${sequence} was recorded as entry ${original}`);
  }
  return damage(
    'missing',
    sequence,
    `${span(sequence, original - 1)} missing, and later ones were renumbered`,
  );
}

/** The number under which an entry was sealed, where only its number was changed since. */
function originalNumber({ entries, entry, digest }: Place): number | null {
  const last = entries.reduce((most, { sequence }) => Math.max(most, sequence), 0) + entries.length;
  for (let sequence = 1; sequence <= last; sequence += 1) {
    if (hashOf({ ...entry, sequence }, digest) === entry.hash) return sequence;
  }
  return null;
}

function notNext({ entries, entry, head }: Place): LedgerDamage {
  const { sequence } = entry;
  const before = entries.find(({ hash }) => hash === entry.previous);
  if (before !== undefined) {
    return damage('reordered', sequence, `entry ${sequence} was recorded after entry ${before.sequence}`);
  }
  const text = `entry ${sequence} does not follow entry ${head.sequence}: one of them was rewritten`;
  return damage('changed', sequence, text);
}

function rewritten({ sequence, hash }: LedgerEntry, anchors: readonly Head[]): LedgerDamage | null {
  if (!anchors.some((anchor) => anchor.sequence === sequence && anchor.hash !== hash)) return null;
  const text = `entry ${sequence} is not the one that was recorded: it, or one before it, was rewritten`;
  return damage('changed', sequence, text);
}

function cutOff(head: Head, anchors: readonly Head[]): LedgerDamage | null {
  const last = Math.max(0, ...anchors.map(({ sequence }) => sequence));
  if (last <= head.sequence) return null;
  const missing = head.sequence + 1;
  return damage('cut-off', missing, `${span(missing, last)} missing at the end`);
}

function span(first: number, last: number): string {
  return first === last ? `entry ${first} is` : `entries ${first} to ${last} are`;
}

function damage(reason: ChainReason, sequence: number, text: string): LedgerDamage {
  return { reason, sequence, text };
}
