import type { EndRecord } from '../core/memory/ended.ts';

/** Ends of programs that rollcall started, as tmux wrote them down; each stays until the ledger has it. */
export interface Ends {
  all(): readonly EndRecord[];
  /** The end of one run; null where none was written down. */
  of(run: string): EndRecord | null;
  drop(run: string): void;
}
