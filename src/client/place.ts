import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:http';
import { isAbsolute, join } from 'node:path';

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

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** How to connect, with the token where one is needed. */
export async function connectionTo(
  place: ClientPlace,
): Promise<Pick<RequestOptions, 'socketPath' | 'hostname' | 'port'> & { headers: Record<string, string> }> {
  if ('socketPath' in place) return { socketPath: place.socketPath, headers: { Host: 'localhost' } };
  const { protocol, hostname, port } = new URL(place.url);
  // The token of this machine is of no use elsewhere, and must not get there.
  if (protocol !== 'http:' || !LOOPBACK.has(hostname)) {
    throw new TypeError(`a daemon is reached at http://127.0.0.1, not at ${protocol}//${hostname}`);
  }
  const token = 'token' in place ? place.token : (await readFile(place.tokenFile, 'utf8')).trim();
  return {
    hostname: hostname === '[::1]' ? '::1' : hostname,
    port: port === '' ? 80 : Number(port),
    headers: { Host: `${hostname}:${port || 80}`, Authorization: `Bearer ${token}` },
  };
}
