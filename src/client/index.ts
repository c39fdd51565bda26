import { randomUUID } from 'node:crypto';
import type { ActedDocument } from '../contract/acted-schema.ts';
import type { CloseDocument, ReopenDocument, WakeDocument } from '../contract/close-schemas.ts';
import type { ExplainDocument, RollDocument } from '../contract/document-schemas.ts';
import type { ActionBody, ActionName } from '../contract/http/bodies.ts';
import type {
  LedgerPage,
  PressureDocument,
  ReaperDocument,
  SessionDocument,
} from '../contract/http/response-schemas.ts';
import type { StatusDocument } from '../contract/status-schema.ts';
import type { Activity, Lifecycle } from '../core/verdict.ts';
import { type DaemonEvent, type EventsWish, events } from './events.ts';
import { ask, documentOf, textOf } from './exchange.ts';
import { type ClientPlace, usualPlace } from './place.ts';

export { DaemonUnreachable, RollcallProblem } from './errors.ts';
export type { DaemonEvent, EventsWish, Silence } from './events.ts';
export type { ClientPlace } from './place.ts';
export { usualPlace } from './place.ts';

export interface RollWish {
  readonly lifecycle?: readonly Lifecycle[];
  readonly activity?: readonly Activity[];
  readonly name?: string;
}

export interface LedgerWish {
  /** `next` of the page before. */
  readonly after?: number;
  /** Epoch ms, or so long ago: `2h`, `7d`. */
  readonly since?: number | string;
  readonly limit?: number;
}

export interface ActionOptions {
  /** The same key for the same thing: it is done once, however often it is asked for. A new one for each call otherwise. */
  readonly idempotencyKey?: string;
}

type Action<A extends ActionName, R> = (
  word: string,
  body?: ActionBody<A>,
  options?: ActionOptions,
) => Promise<R>;

/** Speaks with a running daemon. Everything throws a RollcallProblem where it is refused, and DaemonUnreachable without one. */
export interface RollcallClient {
  roll(wish?: RollWish): Promise<RollDocument>;
  session(key: string): Promise<SessionDocument>;
  /** A thorough look at one session. */
  evidence(key: string): Promise<ExplainDocument>;
  ledger(wish?: LedgerWish): Promise<LedgerPage>;
  reaper(): Promise<ReaperDocument>;
  pressure(): Promise<PressureDocument>;
  status(): Promise<StatusDocument>;
  metrics(): Promise<string>;
  events(wish?: EventsWish): AsyncGenerator<DaemonEvent, void>;
  readonly hold: Action<'hold', ActedDocument>;
  readonly unhold: Action<'unhold', ActedDocument>;
  readonly retain: Action<'retain', ActedDocument>;
  readonly complete: Action<'complete', ActedDocument>;
  readonly close: Action<'close', CloseDocument>;
  readonly hibernate: Action<'hibernate', CloseDocument>;
  readonly wake: Action<'wake', WakeDocument>;
  /** By a receipt, or by the key of the session that was closed. */
  readonly reopen: Action<'reopen', ReopenDocument>;
}

const TIMEOUT_MS = 30_000;

/** A client of the daemon at a place; of this user's own where none is given. */
export function createClient(place: ClientPlace = usualPlace()): RollcallClient {
  const get = async <T>(path: string, query: Readonly<Record<string, unknown>> = {}): Promise<T> =>
    documentOf(await ask(place, { method: 'GET', path: `${path}${written(query)}`, timeoutMs: TIMEOUT_MS }));
  const act =
    <A extends ActionName, R>(path: (word: string) => string): Action<A, R> =>
    async (word, body = {}, { idempotencyKey = randomUUID() } = {}) =>
      documentOf(
        await ask(place, {
          ...{ method: 'POST', path: path(encodeURIComponent(word)), body },
          headers: { 'Idempotency-Key': idempotencyKey },
          // A close takes as long as it takes; what it does is bounded by the daemon.
          timeoutMs: 0,
        }),
      );
  const onSession = <A extends ActionName>(action: A) =>
    act<A, ActedDocument>((key) => `/v1/sessions/${key}/${action}`);
  const session = (key: string) => `/v1/sessions/${encodeURIComponent(key)}`;
  return {
    roll: (wish = {}) => get('/v1/roll', { ...wish }),
    session: (key) => get(session(key)),
    evidence: (key) => get(`${session(key)}/evidence`),
    ledger: (wish = {}) => get('/v1/ledger', { ...wish }),
    reaper: () => get('/v1/reaper'),
    pressure: () => get('/v1/pressure'),
    status: () => get('/v1/status'),
    metrics: async () => textOf(await ask(place, { method: 'GET', path: '/metrics', timeoutMs: TIMEOUT_MS })),
    events: (wish) => events(place, wish),
    hold: onSession('hold'),
    unhold: onSession('unhold'),
    retain: onSession('retain'),
    complete: onSession('complete'),
    close: act((key) => `/v1/sessions/${key}/close`),
    hibernate: act((key) => `/v1/sessions/${key}/hibernate`),
    wake: act((key) => `/v1/sessions/${key}/wake`),
    reopen: act((receipt) => `/v1/receipts/${receipt}/reopen`),
  };
}

function written(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}
