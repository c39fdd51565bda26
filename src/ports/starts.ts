import type { Start } from '../core/sight/start.ts';

/** How rollcall started what runs, by the word of the run: private, and kept until an archive has it. */
export interface Starts {
  /** On the disk when it returns; throws where it cannot be. */
  keep(start: Start): void;
  /** Null where there is none, or it is not whole. */
  of(run: string): Start | null;
  all(): readonly { readonly run: string; readonly keptAt: number }[];
  drop(run: string): void;
}
