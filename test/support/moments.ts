/** A moment around a step of something that is done in steps. */
export type Moment<Step extends string = string> = readonly ['before' | 'after', Step];

/**
 * Every moment at which a kill can leave something else behind: before the first step, and after each. Before the next
 * step is no other moment than after the last one: only steps last.
 */
export function momentsOf<Step extends string>(steps: readonly Step[]): readonly Moment<Step>[] {
  return steps.flatMap((step, index): Moment<Step>[] =>
    index === 0
      ? [
          ['before', step],
          ['after', step],
        ]
      : [['after', step]],
  );
}
