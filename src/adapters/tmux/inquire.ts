import { connect } from 'node:net';
import type { ServerFailure, ServerSighting } from '../../core/sight/sighting.ts';
import { answerTime } from '../programs/run-program.ts';
import type { SocketPlace } from './find-sockets.ts';
import { listingCommand } from './listing-command.ts';
import { createListingParser, type ListingParser } from './parse-listing.ts';
import { createNonce, type RunTmux, readNoAnswer } from './run-tmux.ts';

/** A server binds its socket a moment before it listens, so a young file that refuses is asked again. */
const SETTLED_MS = 10_000;
const MAX_REMEMBERED = 10_000;

interface InquiryHints {
  readonly isKnownToListen: boolean;
  readonly signal: AbortSignal;
}

/** Makes what asks at one place: at most one connection and one fork, and neither where nobody can be. */
export function createInquirer(
  run: RunTmux,
  options: { readonly now: () => number; readonly timeoutMs: number; readonly asksPath: boolean },
) {
  // A socket file that once refused refuses for ever: whoever listens there again has to make a new file.
  const refusing = new Map<string, string>();
  const parsers = new Map<string, ListingParser>();
  const parserFor = (socketPath: string): ListingParser => {
    const parser = parsers.get(socketPath) ?? createListingParser();
    parsers.set(socketPath, parser);
    return parser;
  };

  return async (place: SocketPlace, { isKnownToListen, signal }: InquiryHints): Promise<ServerSighting> => {
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

/** What stands behind a socket file. */
export type Probe =
  | { readonly state: 'listening' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly failure: ServerFailure; readonly text: string };

/** Connects and hangs up at once: far cheaper than a tmux client for each socket file that a dead server left. */
export function probeSocket(socketPath: string, timeoutMs: number): Promise<Probe> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const late = () =>
      end({ state: 'failed', failure: 'timeout', text: `no connection within ${timeoutMs} ms` });
    const callOff = answerTime(timeoutMs, late);
    const end = (probe: Probe): void => {
      callOff();
      socket.destroy();
      resolve(probe);
    };
    socket.on('connect', () => end({ state: 'listening' }));
    socket.on('error', (error: NodeJS.ErrnoException) => end(meaningOf(error)));
  });
}

function meaningOf(error: NodeJS.ErrnoException): Probe {
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return { state: 'absent' };
    // Linux says so when the queue of a listener is full: busy, not gone.
    case 'EAGAIN':
      return { state: 'listening' };
    case 'EACCES':
    case 'EPERM':
      return { state: 'failed', failure: 'not-permitted', text: error.message };
    default:
      return { state: 'failed', failure: 'failed', text: error.message };
  }
}
