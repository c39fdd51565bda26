import type { Guarded } from '../core/guard/guarded.ts';
import type { ServerSighting } from '../core/sighting.ts';
import type { GuardProbes } from '../ports/guard.ts';
import type { GuardClock, GuardWatch } from './guard-watch.ts';

/** Asks tmux, but not for longer than there is time. */
export async function listWithin(
  endsAt: number,
  leastMs: number,
  { guarded, signal }: GuardWatch,
  probes: GuardProbes,
  clock: GuardClock,
): Promise<ServerSighting> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  signal.addEventListener('abort', abort);
  const leftMs = Math.max(leastMs, endsAt - clock.elapsedMs());
  if (leftMs !== Infinity) void clock.pause(leftMs, limit.signal).then(abort);
  const { socketPath } = guarded.server;
  try {
    const sighting = await probes.list(socketPath, limit.signal);
    if (sighting.state !== 'failed' || !limit.signal.aborted) return sighting;
    const text = 'tmux did not answer before the time was up';
    return { state: 'failed', socketPath, observedAt: clock.at(), failure: 'timeout', text };
  } finally {
    signal.removeEventListener('abort', abort);
    limit.abort();
  }
}

/** What is said instead of asking a stopped server: each call would stay in its queue until it runs again. */
export function stoppedServer({ server: { socketPath, pid } }: Guarded, observedAt: number): ServerSighting {
  const text = `tmux server ${pid} is stopped (kill -CONT ${pid} wakes it)`;
  return { state: 'failed', socketPath, observedAt, failure: 'stopped', text };
}
