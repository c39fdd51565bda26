import type { Recollection } from '../core/memory/recollection.ts';

/** Keeps what earlier looks saw. Losing it costs knowledge, never safety, so its failures are reported and survived. */
export interface RecollectionStore {
  load(): { readonly value: Recollection | null; readonly problem?: string };
  /** What another process saved since this one loaded or saved; null where none did. */
  news?(): Recollection | null;
  /** Returns a problem in words, or null. */
  save(value: Recollection): string | null;
}
