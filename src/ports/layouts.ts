import type { Layout } from '../core/layout/layout.ts';

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
