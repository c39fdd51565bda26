/** What the parent says to a folder host. */
export type Said =
  /** Many questions have this in common, so it is told once. */
  | { readonly kind: 'shared'; readonly id: number; readonly value: unknown }
  | {
      readonly kind: 'question';
      readonly id: number;
      readonly task: string;
      readonly words: readonly unknown[];
      /** Comes behind the words. */
      readonly shared: number | null;
    }
  | { readonly kind: 'ping' };

/** What a folder host answers. */
export type Told =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly text: string }
  | { readonly kind: 'pong' };
