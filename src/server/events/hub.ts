import { toChangeDocument, toStreamDocument } from '../../contract/http/documents.ts';
import type { Change } from '../../core/supervision/round.ts';
import type { Limits } from '../limits.ts';
import { createClient, type EventClient, type Outlet } from './client.ts';
import { createRing } from './ring.ts';

/** Tells every change to everyone who listens. */
export interface Hub {
  tell(changes: readonly Change[]): void;
  /** Begins to send; the client goes when its connection does, or when it does not read. */
  join(outlet: Outlet, lastEventId: string | undefined): void;
  readonly clients: number;
  /** How many were dropped because they did not read. */
  readonly dropped: number;
  close(): void;
}

export interface HubOptions {
  readonly startedAt: number;
  readonly now: () => number;
  readonly limits: Pick<Limits, 'keptEvents' | 'keptEventBytes' | 'heartbeatMs'>;
}

const BEAT = Buffer.from(': still here\n\n');

export function createHub({ startedAt, now, limits }: HubOptions): Hub {
  const ring = createRing(limits.keptEvents, limits.keptEventBytes);
  const clients = new Set<EventClient>();
  // An id of an earlier daemon means nothing to this one.
  const daemon = startedAt.toString(36);
  const eventOf = (event: string, number: number, data: object) =>
    ownBytes(`id: ${daemon}.${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  let heart: NodeJS.Timeout | null = null;
  let dropped = 0;

  const leave = (client: EventClient) => {
    clients.delete(client);
    if (clients.size > 0 || heart === null) return;
    clearInterval(heart);
    heart = null;
  };
  const drop = (client: EventClient) => {
    dropped += 1;
    client.end();
    leave(client);
  };
  const pump = (client: EventClient) => {
    if (client.pump() === 'lost') drop(client);
  };
  // Who has not read anything for several beats does not read.
  const beat = () => {
    for (const client of clients) if (!client.beat(BEAT)) drop(client);
  };

  return {
    get clients() {
      return clients.size;
    },
    get dropped() {
      return dropped;
    },
    tell(changes) {
      for (const change of changes) {
        ring.add(change.number, eventOf(change.kind, change.number, toChangeDocument(change)));
      }
      if (changes.length > 0) for (const client of clients) pump(client);
    },
    join(outlet, lastEventId) {
      const wanted = lastEventId === undefined ? ring.newest : numberIn(lastEventId, daemon);
      const isKept = wanted !== null && ring.after(wanted) !== 'lost';
      const from = isKept ? wanted : ring.newest;
      const client = createClient(outlet, ring, from);
      clients.add(client);
      outlet.onClose(() => leave(client));
      outlet.onDrain(() => {
        client.drained();
        pump(client);
      });
      heart ??= setInterval(beat, limits.heartbeatMs).unref();
      const first = eventOf(isKept ? 'ready' : 'reset', from, toStreamDocument(now(), startedAt));
      client.write(Buffer.concat([Buffer.from('retry: 2000\n'), first]));
      pump(client);
    },
    close() {
      for (const client of clients) {
        client.end();
        leave(client);
      }
    },
  };
}

/** In memory of its own: a short text in a Buffer from the pool would keep 8 KiB that it shares with others, as long as it is kept. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function numberIn(id: string, daemon: string): number | null {
  const [, of, number] = /^([0-9a-z]{1,12})\.(\d{1,15})$/.exec(id) ?? [];
  return of === daemon && number !== undefined ? Number(number) : null;
}
