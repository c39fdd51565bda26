import type { Roll } from '../../core/sight/roll.ts';

/**
 * One look at a time for all who ask: whoever comes while one is under way gets the next, so that nobody is told of what
 * was before it asked.
 */
export function sharedLook(look: () => Promise<Roll>): () => Promise<Roll> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Roll> | null = null;
  return () => {
    if (next !== null) return next;
    const begin = () => {
      next = null;
      return look();
    };
    next = last.then(begin, begin);
    last = next;
    return next;
  };
}
