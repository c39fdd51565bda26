import { fieldsOf } from '../../schema/read.ts';
import { eachRouted, methodOf, OPERATIONS, pathOf, type RoutedName, restOf } from '../operations.ts';

/** A parameter behind the question mark. */
export interface QueryField {
  readonly means: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Parts in braces stand for one word each. */
  readonly path: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, QueryField>>;
  /** Answers without a token. */
  readonly isOpen?: true;
}

/** What only a daemon can tell. */
const OWN = {
  session: { method: 'GET', path: '/v1/sessions/{session}', summary: 'One session as of the last round.' },
  reaper: {
    method: 'GET',
    path: '/v1/reaper',
    summary:
      'The reaper after the last round: for each session what would let it go, or the guard that keeps it.',
  },
  pressure: { method: 'GET', path: '/v1/pressure', summary: 'How short of memory the machine is, and why.' },
  events: {
    method: 'GET',
    path: '/v1/events',
    summary:
      'Every change as it is seen (server-sent events). Resumes after the header Last-Event-ID; `reset` says that changes were missed and the roll has to be fetched.',
  },
  metrics: { method: 'GET', path: '/metrics', summary: 'Numbers in the text format of Prometheus.' },
  openapi: { method: 'GET', path: '/openapi.json', summary: 'This description.' },
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the daemon answers; needs no token.',
    isOpen: true,
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof OWN | RoutedName;

/** Every route of the HTTP API; the server has to answer each of them, and the description is made from it. */
export const ROUTES: Readonly<Record<RouteName, Route>> = {
  ...eachRouted((name): Route => {
    const { summary } = OPERATIONS[name];
    const route = { method: methodOf(name), path: pathOf(name), summary };
    return route.method === 'POST' ? route : { ...route, query: fieldsOf(restOf(name)) };
  }),
  ...OWN,
};
