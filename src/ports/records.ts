import type { Layout } from '../core/layout/layout.ts';
import type { EndRecord } from '../core/memory/ended.ts';
import type { Start } from '../core/sight/start.ts';

/** `refused`: something is there that rollcall did not write, or that is not whole. */
export type LayoutReading =
  | { readonly state: 'read'; readonly layout: Layout }
  | { readonly state: 'absent' }
  | { readonly state: 'refused'; readonly text: string };

/** How sessions under care were last seen, by their key: private, and kept until a close has kept more. */
export interface Layouts {
  of(key: string): LayoutReading;
  /** On the disk when it returns; throws where it cannot be. */
  keep(layout: Layout): void;
  all(): readonly { readonly key: string; readonly keptAt: number }[];
  drop(key: string): void;
}

/** How rollcall started what runs, by the word of the run: private, and kept until an archive has it. */
export interface Starts {
  /** On the disk when it returns; throws where it cannot be. */
  keep(start: Start): void;
  /** Null where there is none, or it is not whole. */
  of(run: string): Start | null;
  all(): readonly { readonly run: string; readonly keptAt: number }[];
  drop(run: string): void;
}

/** Ends of programs that rollcall started, as tmux wrote them down; each stays until the ledger has it. */
export interface Ends {
  all(): readonly EndRecord[];
  /** The end of one run; null where none was written down. */
  of(run: string): EndRecord | null;
  drop(run: string): void;
}
