import { readFile } from 'node:fs/promises';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { listenerOf, notOurs } from './listener.ts';

/** Where a daemon is reached: its socket, or its port with the token that its file holds. */
export type ClientPlace =
  | { readonly socketPath: string }
  | { readonly url: string; readonly tokenFile: string }
  | { readonly url: string; readonly token: string };

/** The socket of this user's daemon. */
export function usualPlace(env: NodeJS.ProcessEnv = process.env): ClientPlace {
  const { XDG_STATE_HOME: xdg = '', HOME: home = '' } = env;
  const folder = isAbsolute(xdg) ? join(xdg, 'rollcall') : join(home, '.local/state/rollcall');
  return { socketPath: join(folder, 'rollcall.sock') };
}

// `localhost` may lead to ::1, where somebody else may listen: the daemon is at 127.0.0.1 only.
const LOOPBACK = new Set(['127.0.0.1', 'localhost']);

/** A way to the daemon, with what has to be sent along. */
export interface DaemonConnection {
  readonly socket: Socket;
  readonly headers: Readonly<Record<string, string>>;
}

/** Connects to the daemon. The token goes along only where its own listener is at the other end. */
export async function connectTo(
  place: ClientPlace,
  signal: AbortSignal | undefined,
): Promise<DaemonConnection> {
  if ('socketPath' in place) {
    return { socket: await connected({ path: place.socketPath }, signal), headers: { Host: 'localhost' } };
  }
  const { protocol, hostname, port: written } = new URL(place.url);
  // The token of this machine is of no use elsewhere, and must not get there.
  if (protocol !== 'http:' || !LOOPBACK.has(hostname)) {
    throw new TypeError(`a daemon is reached at http://127.0.0.1, not at ${protocol}//${hostname}`);
  }
  const port = written === '' ? 80 : Number(written);
  const address = { url: place.url, port, tokenFile: 'token' in place ? null : place.tokenFile };
  const before = await listenerOf(address);
  const token = 'token' in place ? place.token : (await readFile(place.tokenFile, 'utf8')).trim();
  const socket = await connected({ host: '127.0.0.1', port }, signal);
  // The same listener before and after: so it is the one that this connection was made to.
  if ((await listenerOf(address)) !== before) {
    socket.destroy();
    throw notOurs(place, 'somebody else listens there by now');
  }
  return { socket, headers: { Host: `127.0.0.1:${port}`, Authorization: `Bearer ${token}` } };
}

function connected(to: NetConnectOpts, signal: AbortSignal | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...to, ...(signal && { signal }) });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}
