import type { ServerSighting } from '../../core/sight/sighting.ts';
import { listingCommand } from './listing-command.ts';
import { createNonce } from './nonce.ts';
import type { ListingParser } from './parse-listing.ts';
import { readNoAnswer } from './read-answer.ts';
import type { RunTmux } from './run-tmux.ts';

/** A thousand panes print about half a megabyte; more than this is no listing. */
const MAX_LISTING_BYTES = 64 * 1024 * 1024;

/**
 * Asks one server for everything, in one fork. The start mark of the answering process is not tmux's to know: it
 * stays 0 until the process table is laid beside the answer.
 */
export async function listServer(
  run: RunTmux,
  socketPath: string,
  look: {
    readonly now: () => number;
    readonly asksPath: boolean;
    readonly parse: ListingParser;
    readonly signal: AbortSignal;
  },
): Promise<ServerSighting> {
  const observedAt = look.now();
  const nonce = createNonce();
  const ended = await run(socketPath, listingCommand(nonce, look.asksPath), {
    maxBytes: MAX_LISTING_BYTES,
    signal: look.signal,
  });
  // A server without sessions answers the first two commands and fails on the third.
  if (ended.ended === 'exit' && ended.signal === null) {
    const listing = look.parse(ended.stdout.toString('utf8'), nonce);
    if (listing !== null && (ended.code === 0 || listing.sessions.length === 0)) {
      return { state: 'present', socketPath, observedAt, startTicks: 0, ...listing };
    }
  }
  return { ...readNoAnswer(ended, socketPath), socketPath, observedAt };
}
