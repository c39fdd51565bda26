import { createConnection, type Socket } from 'node:net';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeDocumentSchema, streamDocumentSchema } from '../../src/contract/http/response-schemas.ts';
import type { Change } from '../../src/core/supervision/round.ts';
import { createHub } from '../../src/server/events/hub.ts';
import { createRing } from '../../src/server/events/ring.ts';
import { LIMITS } from '../../src/server/limits.ts';
import { until } from '../support/until.ts';
import { ServerRoom } from './server-room.ts';

const room = new ServerRoom();
beforeAll(async () => {
  await room.tmux.session('first');
  await room.open({ streams: 3, heartbeatMs: 100 });
});
afterAll(() => room.shut());

/** A connection to /v1/events that is read, or not. */
class Listener {
  text = '';
  isOver = false;
  readonly socket: Socket;

  constructor(lastEventId?: string) {
    const last = lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`;
    this.socket = createConnection(room.running.socketPath);
    this.socket.setEncoding('utf8').on('data', (chunk) => {
      this.text += chunk;
    });
    this.socket.once('close', () => {
      this.isOver = true;
    });
    this.socket.on('error', () => {});
    this.socket.write(`GET /v1/events HTTP/1.1\r\nHost: x\r\n${last}\r\n`);
  }

  get events(): { id: string; event: string; data: unknown }[] {
    return [...this.text.matchAll(/id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n/g)].map(
      ([, id = '', event = '', data = '']) => ({ id, event, data: JSON.parse(data) }),
    );
  }

  async untilEvent(event: string): Promise<{ id: string; data: unknown }> {
    await until(
      `${event} comes`,
      () => this.text,
      () => this.events.some((one) => one.event === event),
    );
    return this.events.find((one) => one.event === event) ?? { id: '', data: null };
  }

  /** What was told of a session: others may have grown stale meanwhile. */
  changesOf(name: string) {
    return this.events.filter(
      ({ event, data }) =>
        event === 'session' && (data as { session: { name: string } }).session.name === name,
    );
  }

  leave(): void {
    this.socket.destroy();
  }
}

describe('the stream of events', () => {
  it('begins with where it is, tells each change once and in order, and beats', async () => {
    const listener = new Listener();
    const ready = await listener.untilEvent('ready');
    expect(v.parse(streamDocumentSchema, ready.data)).toEqual(ready.data);
    await room.tmux.session('second');
    await room.desk.lookNow();
    const [told] = await until(
      'it is told',
      () => listener.changesOf('second'),
      ({ length }) => length > 0,
    );
    const { id, data } = told ?? { id: '', data: null };
    expect(v.parse(changeDocumentSchema, data)).toEqual(data);
    expect(data).toMatchObject({ kind: 'session', session: { name: 'second' }, from: null });
    expect(id).toBe(`${room.desk.startedAt.toString(36)}.${(data as Change).number}`);
    await until('it beats', () => listener.text.includes(': still here\n\n'));
    listener.leave();
    await until(
      'it is forgotten',
      () => metric('rollcall_event_clients'),
      (count) => count === 0,
    );
  });

  it('goes on after the last event that was seen, and misses nothing', async () => {
    const earlier = new Listener();
    const { id } = await earlier.untilEvent('ready');
    earlier.leave();
    await room.tmux.session('third');
    await room.desk.lookNow();
    await room.tmux.tmux('kill-session', '-t', 'third');
    await room.desk.lookNow();
    const later = new Listener(id);
    const changes = await until(
      'both changes came',
      () => later.changesOf('third'),
      ({ length }) => length >= 2,
    );
    expect(later.events[0]?.event).toBe('ready');
    expect(changes.map(({ data }) => (data as { to?: unknown }).to !== null)).toEqual([true, false]);
    later.leave();
  });

  it('says reset to who comes from an earlier daemon, from the future or with nonsense', async () => {
    const daemon = room.desk.startedAt.toString(36);
    for (const id of ['abc.1', `${daemon}.999999`, `${daemon}.-1`, 'nonsense', `${daemon}.1e3`]) {
      const listener = new Listener(id);
      await listener.untilEvent('reset');
      expect(listener.events[0]?.event).toBe('reset');
      listener.leave();
    }
    await until(
      'they are gone',
      () => metric('rollcall_event_clients'),
      (count) => count === 0,
    );
  });

  it('has room for so many, and tells the next one when to come again', async () => {
    const listeners = [new Listener(), new Listener(), new Listener()];
    for (const listener of listeners) await listener.untilEvent('ready');
    const { status, headers } = await room.ask({ path: '/v1/events' });
    expect([status, headers['retry-after']]).toEqual([429, '10']);
    for (const listener of listeners) listener.leave();
    await until(
      'they are gone',
      () => metric('rollcall_event_clients'),
      (count) => count === 0,
    );
  });
});

async function metric(name: string): Promise<number> {
  const { text } = await room.ask({ path: '/metrics' });
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe('the ring of events', () => {
  const event = Buffer.alloc(10);
  const numbers = (ring: ReturnType<typeof createRing>, from: number) => {
    const found: (number | string)[] = [];
    for (let at = from; ; ) {
      const next = ring.after(at);
      if (next === null) return found;
      if (next === 'lost') return [...found, 'lost'];
      found.push(next.number);
      at = next.number;
    }
  };

  it('keeps as many as it may, by number and by size', () => {
    const few = createRing(3, 1000);
    for (let number = 1; number <= 5; number += 1) few.add(number, event);
    expect([numbers(few, 2), numbers(few, 1), numbers(few, 5), numbers(few, 6)]).toEqual([
      [3, 4, 5],
      ['lost'],
      [],
      ['lost'],
    ]);
    const small = createRing(100, 25);
    for (let number = 1; number <= 5000; number += 1) small.add(number, event);
    expect(numbers(small, 4998)).toEqual([4999, 5000]);
    expect(numbers(small, 4997)).toEqual(['lost']);
  });

  it('lets who came before the first event go on, whatever its number is', () => {
    const ring = createRing(10, 1000);
    expect(ring.after(0)).toBe(null);
    ring.add(7, event);
    expect(numbers(ring, 0)).toEqual([7]);
  });

  it('lets nobody resume across a number that was left out', () => {
    const ring = createRing(10, 1000);
    ring.add(1, event);
    ring.add(3, event);
    expect([numbers(ring, 1), numbers(ring, 2)]).toEqual([['lost'], [3]]);
  });
});

describe('a client that does not read', () => {
  const change = (number: number): Change => ({
    ...{ number, at: 1, kind: 'pressure', from: 'normal', to: 'moderate', text: 'x'.repeat(1000) },
  });

  it('costs a place in the ring, and is dropped when it fell out of it or missed two beats', async () => {
    const hub = createHub({
      startedAt: 1,
      now: () => 1,
      limits: { ...LIMITS, keptEvents: 20, heartbeatMs: 20 },
    });
    let written = 0;
    let drain = () => {};
    const full = (isFull: () => boolean) => ({
      write: (bytes: Buffer) => {
        written += bytes.length;
        return !isFull();
      },
      end: () => {},
      onDrain: (call: () => void) => {
        drain = call;
      },
      onClose: () => {},
    });
    hub.join(
      full(() => true),
      undefined,
    );
    const atFirst = written;
    for (let number = 1; number <= 20; number += 1) hub.tell([change(number)]);
    expect([written, hub.clients]).toEqual([atFirst, 1]);
    hub.tell([change(21)]);
    expect([written, hub.clients, hub.dropped]).toEqual([atFirst, 0, 1]);
    let isFull = true;
    hub.join(
      full(() => isFull),
      undefined,
    );
    hub.tell([change(22)]);
    isFull = false;
    drain();
    expect(hub.clients).toBe(1);
    isFull = true;
    hub.tell([change(23)]);
    await until('it is dropped', () => hub.dropped === 2 && hub.clients === 0);
    hub.close();
  });
});

it('keeps of an event its own bytes and no more: a buffer from the pool holds 8 KiB for as long as it is kept', () => {
  const hub = createHub({ startedAt: 1, now: () => 1, limits: LIMITS });
  const sent: Buffer[] = [];
  const outlet = { end: () => {}, onDrain: () => {}, onClose: () => {} };
  hub.join({ ...outlet, write: (bytes) => sent.push(bytes) > 0 }, undefined);
  sent.length = 0;
  hub.tell([
    { number: 1, at: 1, kind: 'pressure', from: 'normal', to: 'moderate', text: 'short of memory, sö' },
  ]);
  hub.close();
  expect(sent.map(({ buffer }) => buffer.byteLength)).toEqual(sent.map(({ length }) => length));
  expect(sent.join('')).toContain('short of memory, sö');
});
