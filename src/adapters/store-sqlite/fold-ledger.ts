import { type Checkpoint, openCheckpoint, sealCheckpoint } from '../../core/ledger/checkpoint.ts';
import { type Folded, foldFacts, UNFOLDED } from '../../core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import { isSettledFor, withoutSettled } from '../../core/ledger/settled.ts';
import type { FactsReading } from '../../ports/ledger.ts';
import { type Checked, checkLedger } from './check-ledger.ts';
import { ledgerMark } from './ledger-mark.ts';
import { anchorBeside, type LedgerPlace } from './place.ts';

/** So many entries are folded at once. */
const AT_ONCE = 500;

/**
 * Folds the ledger from where this or another process left off: reads only newer entries, which have to follow. If the
 * ledger in use does not confirm the checkpoint, it begins with the first entry.
 */
export function createFold(place: LedgerPlace): () => FactsReading {
  let kept: Checkpoint | null = null;
  return () => {
    // Before the reading: what is recorded meanwhile gives the files another one.
    const { text, isSettled } = ledgerMark(place.folder);
    if (kept !== null && kept.mark === text) return readingOf(kept);
    kept = newest(kept, saved(place));
    const base = isInUse(place, kept) ? kept : null;
    const fold = foldFrom(place, base);
    const { reach, file, folded } = fold;
    if (reach.damage !== null) {
      const whole = base === null ? fold : foldFrom(place, null);
      // This process knows of entries that are gone with everything else that knew of them.
      return { ...whole.reach, damage: whole.reach.damage ?? reach.damage, folded: whole.folded };
    }
    if (reach.isEmpty) return { ...reach, folded };
    const before = kept;
    kept = { file, head: reach.head, folded, mark: isSettled ? text : null };
    if (before?.head.hash !== kept.head.hash || before.mark !== kept.mark)
      place.checkpoint.save(sealCheckpoint(kept, place.digest));
    return readingOf(kept);
  };
}

function readingOf({ head, folded }: Checkpoint): FactsReading {
  return { isEmpty: false, head, damage: null, folded };
}

function saved({ checkpoint, author }: LedgerPlace): Checkpoint | null {
  const found = checkpoint.load();
  const left = 'value' in found ? openCheckpoint(found.value) : null;
  return left !== null && isSettledFor(left.folded, author) ? left : null;
}

// What another process wrote may be older than what this one has read itself.
function newest(one: Checkpoint | null, other: Checkpoint | null): Checkpoint | null {
  if (one === null || other === null) return one ?? other;
  return other.head.sequence >= one.head.sequence ? other : one;
}

function isInUse({ folder }: LedgerPlace, kept: Checkpoint | null): kept is Checkpoint {
  const { read } = anchorBeside(folder);
  return kept !== null && kept.head.sequence > 0 && read.state === 'read' && read.anchor.file === kept.file;
}

function foldFrom(place: LedgerPlace, base: Checkpoint | null): Checked & { readonly folded: Folded } {
  let folded: Folded = UNFOLDED;
  let waiting: LedgerEntry[] = [];
  const flush = () => {
    folded = withoutSettled(foldFacts(folded, waiting), place.author);
    waiting = [];
  };
  const checked = checkLedger(place, {
    ...(base !== null && { base: base.head }),
    begin() {
      folded = base?.folded ?? UNFOLDED;
      waiting = [];
      return (entry) => {
        waiting.push(entry);
        if (waiting.length >= AT_ONCE) flush();
      };
    },
  });
  if (waiting.length > 0) flush();
  return { ...checked, folded };
}
