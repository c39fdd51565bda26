import type { ProcessTable } from '../../core/sight/process.ts';
import type { ServerSighting } from '../../core/sight/sighting.ts';
import type { ServerProcess } from './server-processes.ts';

/**
 * Lays the process table beside what the sockets answered. A socket that leads nowhere while its server still runs
 * (its file was deleted, or another server took the path) is a server that cannot be reached, never an absent one.
 */
export function reconcile(
  sightings: readonly ServerSighting[],
  servers: readonly ServerProcess[],
  table: ProcessTable,
): ServerSighting[] {
  const answering = new Set(sightings.map((sighting) => (sighting.state === 'present' ? sighting.pid : 0)));
  const silent = servers.filter((server) => !answering.has(server.pid));
  return sightings.flatMap((sighting) => {
    const [first, ...others] = silent.filter((server) => server.socketPath === sighting.socketPath);
    if (sighting.state === 'present') {
      const startTicks = table.byPid.get(sighting.pid)?.startTicks ?? 0;
      const replaced = first === undefined ? [] : [first, ...others];
      return [
        { ...sighting, startTicks },
        ...replaced.map((server) =>
          unreachable(server, sighting.observedAt, 'another server took its socket'),
        ),
      ];
    }
    if (first === undefined) return [sighting];
    const { pid, startTicks } = first;
    const own: ServerSighting =
      sighting.state === 'failed'
        ? { ...sighting, pid, startTicks }
        : unreachable(
            first,
            sighting.observedAt,
            `its socket file does not lead to it (kill -USR1 ${pid} remakes it)`,
          );
    return [
      own,
      ...others.map((server) => unreachable(server, sighting.observedAt, 'it shares its socket path')),
    ];
  });
}

function unreachable(server: ServerProcess, observedAt: number, why: string): ServerSighting {
  const { socketPath, pid, startTicks } = server;
  const text = `server ${pid} runs, but ${why}`;
  return { state: 'failed', socketPath, observedAt, failure: 'refused', text, pid, startTicks };
}
