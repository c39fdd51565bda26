import type { IncomingMessage } from 'node:http';
import type { Token } from '../token.ts';
import { HttpProblem } from './problem.ts';

/** Through which listener a request came. */
export type Via = 'socket' | 'port';

/** Headers that may come only once: of some Node keeps the first, others it joins. */
const SINGLE = new Set([
  ...['host', 'origin', 'authorization', 'content-length', 'content-type', 'content-encoding', 'expect'],
  ...['transfer-encoding', 'idempotency-key', 'last-event-id', 'sec-fetch-site'],
]);

const VERSIONS = new Set(['1.0', '1.1']);

/** Names under which people put secrets into addresses. */
const SECRET_NAME =
  /^(?:(?:access|api|auth|bearer)[-_]?)?(?:token|key|auth|authorization|bearer|secret|password)$/i;

/** Where a browser says that the page which asks is ours, or that a person typed the address. */
const OWN_SITES = new Set(['none', 'same-origin']);

/** A request that was said twice in different ways is not guessed at. */
export function checkHeaders({ rawHeaders, httpVersion }: IncomingMessage): void {
  // What came before 1.0 has no headers, so nothing here could be told from them.
  if (!VERSIONS.has(httpVersion)) throw lastWord('version', 'HTTP/1.1 is spoken here');
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) throw lastWord('header-twice', `the header ${name} is there twice`);
    seen.add(name);
  }
}

/**
 * Who asks from where. A page of another site that had its name point to this machine (DNS rebinding) still says its own
 * name in Host; a page that sends a request here says in Origin where it is from, and a sandboxed one says `null`.
 */
export function checkPlace({ headers }: IncomingMessage, via: Via, hosts: ReadonlySet<string>): void {
  const { host = '', origin } = headers;
  if (via === 'port' && !hosts.has(host.toLowerCase())) {
    throw new HttpProblem(421, 'wrong-host', 'this server does not answer to that name', {
      hint: 'use the address that rollcall status shows',
      isLast: true,
    });
  }
  const isOwn = via === 'port' && origin === `http://${host.toLowerCase()}`;
  if (origin !== undefined && !isOwn) throw crossSite();
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !OWN_SITES.has(String(site))) throw crossSite();
}

/** A token in an address ends up in histories and logs of others; it is not taken from there, whatever it is. */
export function checkQuery(query: URLSearchParams, token: Token): void {
  for (const [name, value] of query) {
    if (!SECRET_NAME.test(name) && !token.isIn(value) && !token.isIn(name)) continue;
    const hint =
      'send it in the header Authorization; if it was the real one, remove the token file and restart';
    throw lastWord('token-in-url', 'a token does not belong into an address', hint);
  }
}

export function checkToken({ headers }: IncomingMessage, token: Token): void {
  const [, given] = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '') ?? [];
  if (given !== undefined && token.is(given)) return;
  const detail = given === undefined ? 'a token is needed' : 'this is not the token';
  throw new HttpProblem(401, 'no-token', detail, {
    hint: 'send Authorization: Bearer with what is in the token file that rollcall status shows',
    headers: { 'WWW-Authenticate': 'Bearer realm="rollcall"' },
  });
}

function crossSite(): HttpProblem {
  return new HttpProblem(403, 'cross-site', 'pages of other sites are not answered', { isLast: true });
}

function lastWord(code: string, detail: string, hint: string | null = null): HttpProblem {
  return new HttpProblem(400, code, detail, { hint, isLast: true });
}
