import type { ServerSighting } from '../../core/sight/sighting.ts';
import type { Place } from './find-sockets.ts';
import { listServer } from './list-server.ts';
import { createListingParser, type ListingParser } from './parse-listing.ts';
import { probeSocket } from './probe-socket.ts';
import type { RunTmux } from './run-tmux.ts';

/** Asks what stands at one place: at most one connection and one fork, and neither where nobody can be. */
export type Inquire = (
  place: Place,
  hints: { readonly isKnownToListen: boolean; readonly signal: AbortSignal },
) => Promise<ServerSighting>;

/** A server binds its socket a moment before it listens, so a young file that refuses is asked again. */
const SETTLED_MS = 10_000;
const MAX_REMEMBERED = 10_000;

export function createInquirer(
  run: RunTmux,
  options: { readonly now: () => number; readonly timeoutMs: number; readonly asksPath: boolean },
): Inquire {
  // A socket file that once refused refuses for ever: whoever listens there again has to make a new file.
  const refusing = new Map<string, string>();
  const parsers = new Map<string, ListingParser>();
  const parserFor = (socketPath: string): ListingParser => {
    const parser = parsers.get(socketPath) ?? createListingParser();
    parsers.set(socketPath, parser);
    return parser;
  };

  return async (place, { isKnownToListen, signal }) => {
    const observedAt = options.now();
    if (place.state !== 'socket') return { ...place, observedAt };
    const { socketPath, mark, changedAt } = place;
    if (refusing.get(socketPath) === mark) return { state: 'absent', socketPath, observedAt };
    refusing.delete(socketPath);
    if (refusing.size > MAX_REMEMBERED) refusing.clear();
    if (!isKnownToListen && !signal.aborted) {
      const probe = await probeSocket(socketPath, options.timeoutMs);
      if (probe.state === 'absent' && observedAt - changedAt > SETTLED_MS) refusing.set(socketPath, mark);
      if (probe.state !== 'listening') return { ...probe, socketPath, observedAt };
    }
    return listServer(run, socketPath, { ...options, signal, parse: parserFor(socketPath) });
  };
}
