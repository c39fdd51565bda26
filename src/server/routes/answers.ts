import { readFile } from 'node:fs/promises';
import type { RouteName } from '../../contract/http/routes.ts';
import { eachRouted, methodOf } from '../../contract/operations.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import { tooMany } from '../http/problem.ts';
import { json, type Reply } from '../http/reply.ts';
import { EXPOSITION_TYPE, exposition } from '../metrics/registry.ts';
import type { RouteHandler } from './call.ts';
import { looking, pressure, reaper, roll, session, wait } from './looking.ts';
import { operating } from './operating.ts';

const events: RouteHandler = ({ headers }, { hub, maxStreams }) => {
  if (hub.clients >= maxStreams) throw tooMany('listeners', 10);
  const last = headers['last-event-id'];
  return { begin: (outlet) => hub.join(outlet, typeof last === 'string' ? last : undefined) };
};

export const metrics: RouteHandler = (_, { metrics: families, tail }) => {
  try {
    tail.follow();
  } catch (error) {
    // The numbers of everything else are worth having all the same.
    if (!(error instanceof LedgerError)) throw error;
  }
  return { status: 200, type: EXPOSITION_TYPE, body: Buffer.from(exposition(families)) };
};

const health: RouteHandler = () => json({ ok: true });

let description: Promise<Reply> | null = null;

const openapi: RouteHandler = () => {
  description ??= describe().catch((error: unknown) => {
    description = null;
    throw error;
  });
  return description;
};

// It is a file of the package: making it anew would load every schema into the daemon. The bundle lies one folder
// below the package's own, the sources lie three below.
async function describe(): Promise<Reply> {
  const here = ['../docs/schema/openapi.json', '../../../docs/schema/openapi.json'];
  const read = here.map((path) => readFile(new URL(path, import.meta.url)));
  return { status: 200, type: 'application/json', body: await Promise.any(read) };
}

/** What answers each route. */
export const ANSWERS: Readonly<Record<RouteName, RouteHandler>> = {
  ...eachRouted((name) => (methodOf(name) === 'GET' ? looking(name) : operating(name))),
  roll,
  wait,
  session,
  reaper,
  pressure,
  events,
  metrics,
  openapi,
  health,
};
