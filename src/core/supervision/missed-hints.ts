import type { Change } from './change.ts';
import type { Wake } from './round.ts';

/**
 * How many changes a relist found that no hint had announced. What time alone brings about (a rest that became long) has
 * no hint, and misses none.
 */
export function missedHints(changes: readonly Change[], wokenBy: readonly Wake[]): number {
  const isRelist = wokenBy.length > 0 && wokenBy.every((wake) => wake === 'relist');
  return isRelist ? changes.filter(wasAnEvent).length : 0;
}

function wasAnEvent(change: Change): boolean {
  if (change.kind !== 'session') return false;
  const { from, to } = change;
  if (from === null || to === null) return true;
  return (
    from.activity !== to.activity ||
    from.waitingFor !== to.waitingFor ||
    from.isAttached !== to.isAttached ||
    from.name !== to.name
  );
}
