import type { Look } from '../../engine/look/look.ts';
import type { Stage, StageEnd } from '../../ports/stage.ts';

/** What a set-up came to: a stage with a look that sees nothing else, or why there is none. */
export type SetUp =
  | { readonly state: 'ready'; readonly stage: Stage; readonly look: Look }
  | { readonly state: 'refused'; readonly text: string; readonly hint: string };

/** Makes stages for the demo and clears them away. */
export interface Theatre {
  setUp(label: string): Promise<SetUp>;
  /** Ends a demo that was kept; null when none runs under that label. */
  strike(label: string): Promise<StageEnd | null>;
}
