import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { visible } from '../core/text/visible.ts';
import { DaemonStopping } from '../engine/daemon/desk.ts';
import type { DaemonLog } from '../ports/daemon.ts';
import { createHub } from './events/hub.ts';
import { tokenBucket, turnstile } from './http/rate.ts';
import { createIdempotency } from './idempotency.ts';
import { createLedgerTail } from './ledger-tail.ts';
import { LIMITS, type Limits } from './limits.ts';
import { createRoundMetrics } from './metrics/round-metrics.ts';
import { createServerMetrics } from './metrics/server-metrics.ts';
import type { Context, ServerPlace } from './routes/context.ts';
import { sharedLook } from './routes/shared-look.ts';
import { createListener, type Serving } from './serve.ts';
import { listening, listenOnSocket } from './socket-file.ts';
import { openToken } from './token.ts';

export interface ServerOptions
  extends Pick<Context, 'desk' | 'now' | 'policies' | 'instruments' | 'socketOf'> {
  /** The state folder, which only this user can enter. */
  readonly folder: string;
  /** Of the loopback interface; 0 for any that is free, null for none. One that is taken is replaced by a free one. */
  readonly port: number | null;
  readonly version: string;
  readonly log: DaemonLog;
  /** What a reopened pane without an agent gets; `/bin/sh` otherwise. */
  readonly shell?: string | undefined;
  /** What looks of this daemon depend on; commands with the same may have it look for them. */
  readonly view?: string;
  readonly limits?: Partial<Limits>;
}

export interface RunningServer extends ServerPlace {
  /** Listens no more, lets actions under way end, and takes the socket away. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** Opens the HTTP API: on a Unix socket, where the permissions of the file are the check, and on a loopback port with a token. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { desk, folder, now, log, version, policies, instruments, socketOf } = options;
  const limits: Limits = { ...LIMITS, ...options.limits };
  const uid = process.getuid?.() ?? 0;
  const elapsedMs = () => performance.now();
  const hub = createHub({ startedAt: desk.startedAt, now, limits });
  const tail = createLedgerTail(desk.ledger);
  const rounds = createRoundMetrics(() => desk.round());
  const numbers = createServerMetrics({
    ...{ hub, tail, version, startedAt: desk.startedAt },
    roundAt: () => desk.round()?.now.at ?? null,
  });
  let serving: Serving | null = null;
  const ready = () => serving;
  const onSocket = createListener(ready, 'socket', limits);
  const socket = await listenOnSocket(onSocket, folder, uid);
  const servers = [onSocket];
  try {
    const token = openToken(folder, uid);
    const onPort = createListener(ready, 'port', limits);
    const port = options.port === null ? null : await listenOnPort(onPort, options.port, log);
    if (port !== null) servers.push(onPort);
    const url = port === null ? null : `http://${LOOPBACK}:${port}`;
    const open: Serving = {
      ...{ token, limits, hosts: hostsOf(port), underWay: new Set(), ends: new Set() },
      buckets: {
        socket: tokenBucket(limits.socket, elapsedMs),
        port: tokenBucket(limits.port, elapsedMs),
        strangers: tokenBucket(limits.strangers, elapsedMs),
      },
      context: {
        ...{ desk, now, hub, tail, policies, instruments, socketOf },
        shell: options.shell ?? '/bin/sh',
        view: options.view ?? '',
        idempotency: createIdempotency(limits, elapsedMs),
        maxStreams: limits.streams,
        atLook: turnstile(limits.looks),
        atWait: turnstile(limits.waits),
        lookShared: sharedLook(() => desk.look({ isWithClosed: true })),
        atWork: turnstile(limits.actions),
        metrics: [...rounds.families, ...numbers.families],
        missedHints: () => rounds.missedHints,
        place: { url, socketPath: socket.path, tokenFile: token.file },
      },
      answered: numbers.answered,
      failed: (route, error) => log.warn('http-failed', { route, text: visible(String(error), 400) }),
    };
    serving = open;
    for (const server of servers) server.on('error', (error) => open.failed('none', error));
    const deaf = desk.onRound((round) => {
      rounds.observe(round);
      hub.tell(round.changes);
    });
    return {
      ...open.context.place,
      async close() {
        deaf();
        await closeAll({ ...open, servers, hub, socket });
      },
    };
  } catch (error) {
    for (const server of servers) server.close();
    socket.remove();
    throw error;
  }
}

async function listenOnPort(server: Server, wanted: number, log: DaemonLog): Promise<number> {
  try {
    await listening(server, wanted, LOOPBACK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (wanted === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    log.warn('http-port-taken', { port: wanted, code });
    await listening(server, 0, LOOPBACK);
  }
  return (server.address() as AddressInfo).port;
}

function hostsOf(port: number | null): ReadonlySet<string> {
  if (port === null) return new Set();
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  // A browser leaves out the port of http.
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
}

interface Closing extends Pick<Serving, 'underWay' | 'ends' | 'limits'> {
  readonly servers: readonly Server[];
  readonly hub: { close(): void };
  readonly socket: { remove(): void };
}

async function closeAll({ servers, hub, socket, underWay, ends, limits }: Closing): Promise<void> {
  socket.remove();
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  hub.close();
  for (const end of ends) end.abort(new DaemonStopping());
  await Promise.allSettled(underWay);
  // What is still being read or written gets a moment; then the connections go.
  const patience = setTimeout(() => endAll(servers), limits.farewellMs);
  for (const server of servers) server.closeIdleConnections();
  await Promise.all(closed);
  clearTimeout(patience);
}

function endAll(servers: readonly Server[]): void {
  for (const server of servers) server.closeAllConnections();
}
