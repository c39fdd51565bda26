import type { Process } from '../../../src/core/sight/process.ts';
import type { Roll } from '../../../src/core/sight/roll.ts';
import type { Stirring } from '../../../src/ports/daemon.ts';
import type { Seat } from '../ports/seat.ts';

/** Feels by the kernel's counters whether anything moved since a look, as src/adapters/daemon/stirring.ts does. */
export function stirring({ machine }: Seat): Stirring {
  let roll: Roll | null = null;
  let servers: string | null = null;
  let processes: readonly (Process | undefined)[] | null = null;

  const serversNow = (): string | null => {
    const all = [...machine.servers.values()];
    const isSame = all.length > 0 && all.length === roll?.servers.length;
    return isSame ? all.map((server) => `${server.pid} ${server.turns}`).join(', ') : null;
  };
  const processesNow = (): readonly (Process | undefined)[] => {
    const seen = machine.processes.seen();
    const pieces = roll?.sessions.flatMap(({ evidence }) => evidence) ?? [];
    return pieces.flatMap((piece) =>
      piece.kind === 'processes' ? piece.processes.map(({ pid }) => seen.get(pid)) : [],
    );
  };

  return {
    mark(seen) {
      [roll, processes] = [seen, null];
      servers = serversNow();
    },
    follow() {
      processes = processesNow();
    },
    hasMoved() {
      if (servers === null || processes === null || serversNow() !== servers) return true;
      const before = processes;
      // Equal objects as long as nothing of them has changed.
      return processesNow().some((process, at) => process === undefined || process !== before[at]);
    },
  };
}
