import type { Roll } from '../../core/sight/roll.ts';
import type { MemoryHolder } from '../../ports/pressure.ts';

/** The tmux servers of a roll, whose cgroups hold the sessions' memory. */
export function memoryHolders({ servers }: Pick<Roll, 'servers'>): MemoryHolder[] {
  return servers.flatMap(({ pid, startTicks, label }) =>
    pid === undefined
      ? []
      : [{ pid, name: `tmux server ${label} (pid ${pid})`, ...(startTicks && { startTicks }) }],
  );
}
