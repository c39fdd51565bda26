/** How often the owner may be kept going, in all. */
export const REINFORCE = ['3', '5', '10'] as const;
export type Reinforce = 3 | 5 | 10;

/** One thing that has to hold before the work counts as finished. Data: nothing in it is ever given to a shell. */
export type GateCheck =
  /** The program ends with status 0. Runs in `cwd`, relative to the contract's folder. */
  | {
      readonly kind: 'command';
      readonly argv: readonly string[];
      readonly cwd: string | null;
      readonly timeoutMs: number;
    }
  /** Nothing uncommitted in the work tree. */
  | { readonly kind: 'clean' }
  /** Every commit is on a remote. */
  | { readonly kind: 'pushed' }
  /** There is such a file; relative to the contract's folder. */
  | { readonly kind: 'file'; readonly path: string }
  /** Nothing is left to do: on the agent's own list, or, with a path, no open box in that Markdown file. */
  | { readonly kind: 'todo'; readonly path: string | null };

/** What came of one check. `unknown` neither holds nor lacks: it never keeps anybody going. */
export interface CheckResult {
  readonly state: 'met' | 'unmet' | 'unknown';
  /** In words: what is missing, or why it cannot be told. */
  readonly text: string;
  readonly at: number;
  /** The state of the work tree that it holds for; null where it holds for no other moment. */
  readonly tree: string | null;
  /** What of it counts as evidence, beyond met or unmet: an exit status, how many files. Never times or outputs. */
  readonly mark: string;
}

/** A check with the last that is known of it. */
export interface CheckedItem {
  readonly check: GateCheck;
  readonly result: CheckResult | null;
}
