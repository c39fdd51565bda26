import type { Recollection } from '../../core/recollection.ts';
import type { RecollectionStore } from '../../ports/recollection-store.ts';

/** A daemon remembers by itself; what it saves is for other processes, and for the one after it. */
const EVERY_MS = 30_000;

export interface SeldomSaved extends RecollectionStore {
  /** Saves what was held back. */
  flush(): void;
}

/** A store that saves a few times a minute instead of with every look: of many sessions, saving costs as much as looking. */
export function seldomSaved(store: RecollectionStore, everyMs = EVERY_MS): SeldomSaved {
  let savedAt = Number.NEGATIVE_INFINITY;
  let held: Recollection | null = null;
  let problem: string | null = null;
  const save = (value: Recollection) => {
    held = null;
    savedAt = value.awakeMs;
    problem = store.save(value);
    return problem;
  };
  return {
    load: () => store.load(),
    save(value) {
      if (value.awakeMs - savedAt >= everyMs) return save(value);
      held = value;
      return problem;
    },
    flush() {
      if (held !== null) save(held);
    },
  };
}
