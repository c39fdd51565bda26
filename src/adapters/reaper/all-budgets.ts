import type { ReapBudget } from '../../core/reaper/standing.ts';
import type { ReapBudgets } from '../../ports/reaper.ts';

/** Several budgets as one: a close needs a slot of each, and what one of them refuses is refused. */
export function allBudgets([first, ...others]: readonly [ReapBudgets, ...ReapBudgets[]]): ReapBudgets {
  const [second, ...rest] = others;
  if (second === undefined) return first;
  const beside = allBudgets([second, ...rest]);
  return {
    read: () => tighter(first.read(), beside.read()),
    take(key) {
      const own = first.take(key);
      if (own.state !== 'taken') return own;
      const other = beside.take(key);
      if (other.state !== 'taken') {
        own.settle(false);
        return other;
      }
      const settle = (isUsed: boolean) => {
        own.settle(isUsed);
        other.settle(isUsed);
      };
      return { state: 'taken', settle };
    },
  };
}

/** Where the state folder is refused: nothing can be counted, so nothing is closed. */
export function noBudget(perHour: number, text: string): ReapBudgets {
  return {
    read: () => ({ perHour, used: 0, freeAt: null, problem: text }),
    take: () => ({ state: 'refused', text }),
  };
}

function tighter(a: ReapBudget, b: ReapBudget): ReapBudget {
  if (a.problem !== null || b.problem !== null) return a.problem === null ? b : a;
  return b.used > a.used || (b.freeAt ?? 0) > (a.freeAt ?? 0) ? b : a;
}
