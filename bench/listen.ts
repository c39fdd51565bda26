import { join } from 'node:path';
import { createClient, type DaemonEvent } from '../src/client/index.ts';
import type { Crowd } from './crowd.ts';

/** A client of a daemon that listens. */
export interface Heard {
  readonly isReady: Promise<void>;
  /** When the next such event came. */
  next(isIt: (event: DaemonEvent) => boolean): Promise<number>;
  stop(): void;
}

/** Begins to listen to the daemon of a crowd. */
export function listen(crowd: Crowd): Heard {
  const client = createClient({
    socketPath: join(crowd.env.XDG_STATE_HOME ?? '', 'rollcall', 'rollcall.sock'),
  });
  const ending = new AbortController();
  let hear = (_: DaemonEvent, __: number) => {};
  let ready: () => void = () => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  void (async () => {
    for await (const event of client.events({ signal: ending.signal })) {
      if (event.kind === 'ready') ready();
      hear(event, performance.now());
    }
  })();
  return {
    isReady,
    next: (isIt) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('the daemon told nothing within 20 s')), 20_000);
        hear = (event, at) => {
          if (!isIt(event)) return;
          clearTimeout(timer);
          resolve(at);
        };
      }),
    stop: () => ending.abort(),
  };
}
