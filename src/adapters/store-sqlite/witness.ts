import { join } from 'node:path';
import type { Head } from '../../core/ledger/chain.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import { tryOr } from '../../core/try-or.ts';
import { readOwnFile } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { type Anchor, sealedAnchorIn, textOf } from './anchor-file.ts';
import { generationOf, type LedgerPlace } from './place.ts';

/** Not one of `ledger.*`: what takes those away, or puts older ones in their place, leaves it. */
export const WITNESS = 'witness.json';

const MAX_BYTES = 4096;

/** How far the ledger went, from outside of its own files; null where nothing whole tells. */
export function readWitness(folder: string): Anchor | null {
  return tryOr(null, () => {
    const text = readOwnFile(join(folder, WITNESS), { uid: null, maxBytes: MAX_BYTES })?.bytes.toString(
      'utf8',
    );
    return sealedAnchorIn(text ?? '');
  });
}

/**
 * Only for whoever holds the lock of the database. It is not waited for until it is on the disk: after a power cut it may
 * tell less, or nothing, which is no worse than having none.
 */
export function replaceWitness(folder: string, anchor: Anchor): void {
  replaceFile(join(folder, WITNESS), textOf(anchor), { sync: 'nothing' });
}

/** Entries known to be recorded, from outside the ledger's files. Read before the ledger, which is never behind them. */
export function knownHeads({ folder, checkpoint }: LedgerPlace): readonly Anchor[] {
  const kept = checkpoint.load();
  const witness = readWitness(folder);
  return [
    ...(witness === null ? [] : [witness]),
    ...('value' in kept ? [{ file: kept.value.content.file, ...kept.value.content.head }] : []),
  ].filter(({ sequence }) => sequence > 0);
}

/** Those that are about a database; what was known before a repair counts no more. */
export function headsIn(file: string | null, heads: readonly Anchor[]): readonly Anchor[] {
  return file === null ? heads : heads.filter((one) => generationOf(one.file) >= generationOf(file));
}

/** The damage where a later database was in use than the one that is there now. */
export function goneBack(file: string, { sequence }: Head, heads: readonly Anchor[]): LedgerDamage | null {
  const later = heads.find((one) => generationOf(one.file) > generationOf(file));
  if (later === undefined) return null;
  const text = `${later.file} was in use, up to entry ${later.sequence} or later, and the ledger went back to ${file}`;
  return { reason: 'cut-off', sequence: sequence + 1, text };
}
