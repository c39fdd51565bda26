import type { Recollection } from '../core/recollection.ts';

/** Keeps what earlier looks saw. Losing it costs knowledge, never safety, so its failures are reported and survived. */
export interface RecollectionStore {
  load(): { readonly value: Recollection | null; readonly problem?: string };
  /** Returns a problem in words, or null. */
  save(value: Recollection): string | null;
}
