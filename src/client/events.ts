import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChangeDocument, StreamDocument } from '../contract/http/response-schemas.ts';
import { DaemonUnreachable, RollcallProblem } from './errors.ts';
import { ask, textOf } from './exchange.ts';
import type { ClientPlace } from './place.ts';

/** What happens, as the daemon tells it. After `ready` nothing is missed; `reset` says that the roll has to be fetched. */
export type DaemonEvent =
  | { readonly kind: 'ready' | 'reset'; readonly id: string; readonly data: StreamDocument }
  | { readonly kind: ChangeDocument['kind']; readonly id: string; readonly data: ChangeDocument };

export interface EventsWish {
  /** The last event that was seen, of an earlier stream. */
  readonly lastEventId?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /**
   * Called when nothing came for longer than the daemon's heartbeat, and with null when it is heard again. The stream goes on
   * by itself: the daemon may be stopped, starting anew, or have much to do.
   */
  readonly onSilence?: (silence: Silence | null) => void;
}

/** Nothing is heard. */
export interface Silence {
  /** When something was heard last; epoch ms. */
  readonly since: number;
}

/** The daemon shows every 2 s that it is there; a second more is for the way. */
const NOTICED_MS = 3000;

/** A connection on which nothing came for so long is made anew. */
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** No event is nearly as long. */
const MOST_LENGTH = 4 * 1024 * 1024;

/**
 * Every change, for as long as somebody reads. A stream that breaks is taken up where it ended, also with the next daemon.
 * It throws where there is no daemon at the beginning, and where it is refused.
 */
export async function* events(place: ClientPlace, wish: EventsWish = {}): AsyncGenerator<DaemonEvent, void> {
  const { signal } = wish;
  let lastEventId = wish.lastEventId;
  let hasBegun = false;
  let pauseMs = FIRST_PAUSE_MS;
  const ear = listenFor(wish.onSilence ?? (() => {}));
  try {
    while (!signal?.aborted) {
      try {
        for await (const event of oneStream(place, lastEventId, signal, ear.heard)) {
          hasBegun = true;
          pauseMs = FIRST_PAUSE_MS;
          lastEventId = event.id;
          yield event;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (!isPassing(error, hasBegun)) throw error;
      }
      await pause(pauseMs, undefined, { ...(signal && { signal }) }).catch(() => {});
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  } finally {
    ear.stop();
  }
}

/** Notices that nothing is heard. A timer that comes late says nothing of the daemon: then this process was stopped. */
function listenFor(tell: NonNullable<EventsWish['onSilence']>): { heard(): void; stop(): void } {
  let since = Date.now();
  let isSilent = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const until = performance.now() + NOTICED_MS;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (performance.now() - until > NOTICED_MS) return wait();
      isSilent = true;
      tell({ since });
    }, NOTICED_MS);
  };
  wait();
  return {
    heard() {
      since = Date.now();
      if (isSilent) tell(null);
      isSilent = false;
      wait();
    },
    stop: () => clearTimeout(timer),
  };
}

function isPassing(error: unknown, hasBegun: boolean): boolean {
  if (error instanceof RollcallProblem) return error.status === 429 || error.status === 503;
  return error instanceof DaemonUnreachable && hasBegun;
}

async function* oneStream(
  place: ClientPlace,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
  heard: () => void,
): AsyncGenerator<DaemonEvent> {
  const response = await ask(place, {
    ...{ method: 'GET', path: '/v1/events', signal, timeoutMs: SILENCE_MS },
    headers: { Accept: 'text/event-stream', ...(lastEventId && { 'Last-Event-ID': lastEventId }) },
  });
  if (response.statusCode !== 200) await textOf(response);
  try {
    yield* eventsIn(response, heard);
  } catch (cause) {
    throw new DaemonUnreachable('the stream broke off', { cause });
  } finally {
    response.destroy();
  }
}

async function* eventsIn(response: IncomingMessage, heard: () => void): AsyncGenerator<DaemonEvent> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response as AsyncIterable<string>) {
    text += chunk;
    heard();
    if (text.length > MOST_LENGTH) throw new Error('an event is too long');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = eventIn(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== null) yield event;
    }
  }
}

/** One event; null for what only shows that the connection lives. */
function eventIn(block: string): DaemonEvent | null {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const [kind, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')];
  if (kind === undefined || id === undefined || data === undefined) return null;
  return { kind, id, data: JSON.parse(data) } as DaemonEvent;
}
