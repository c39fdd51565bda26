import { ACTIVITIES, LIFECYCLES } from '../../core/verdict/verdict.ts';
import { eachOperation, OPERATIONS, type OperationName, pathOf } from '../operations.ts';

/** A parameter behind the question mark. */
export interface QueryField {
  readonly means: string;
  /** A comma list of these; anything otherwise, as the route reads it. */
  readonly values?: readonly string[];
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

const LOOKS = {
  roll: {
    method: 'GET',
    path: '/v1/roll',
    summary: 'The roll as of the last round, worst first.',
    query: {
      lifecycle: { values: LIFECYCLES, means: 'only sessions with one of these, a comma list' },
      activity: { values: ACTIVITIES, means: 'only sessions with one of these, a comma list' },
      name: { means: 'only sessions with exactly this name' },
      fresh: { means: '`true`: look now, and do not tell what the last round saw' },
      all: { means: '`true`, with `fresh`: also sessions that were closed or have finished' },
    },
  },
  session: { method: 'GET', path: '/v1/sessions/{session}', summary: 'One session as of the last round.' },
  evidence: {
    method: 'GET',
    path: '/v1/sessions/{session}/evidence',
    summary: 'A thorough look at one session, with everything that its verdict is made from.',
  },
  ledger: {
    method: 'GET',
    path: '/v1/ledger',
    summary: 'Entries of the ledger, oldest first: the newest ones, or a page of those after one of them.',
    query: {
      after: { means: 'only entries after this sequence; `next` of the page before' },
      since: { means: 'only entries from then on: epoch milliseconds, or so long ago, such as 2h or 7d' },
      limit: { means: 'at most so many, 1 to 500; 100 otherwise' },
    },
  },
  reaper: {
    method: 'GET',
    path: '/v1/reaper',
    summary:
      'The reaper after the last round: for each session what would let it go, or the guard that keeps it.',
  },
  pressure: { method: 'GET', path: '/v1/pressure', summary: 'How short of memory the machine is, and why.' },
  status: {
    method: 'GET',
    path: '/v1/status',
    summary: 'The daemon, the pressure, the sessions, the ledger.',
  },
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

type LookName = keyof typeof LOOKS;
export type RouteName = LookName | OperationName;

const ACTS = eachOperation((name): Route => {
  const { summary } = OPERATIONS[name];
  return { method: 'POST', path: pathOf(name), summary };
});

/** Every route of the HTTP API; the server has to answer each of them, and the description is made from it. */
export const ROUTES = { ...LOOKS, ...ACTS };
