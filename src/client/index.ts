import { randomUUID } from 'node:crypto';
import type { ExplainDocument } from '../contract/document-schemas.ts';
import type { PressureDocument, ReaperDocument, SessionDocument } from '../contract/http/response-schemas.ts';
import type { LogDocument } from '../contract/ledger-schemas.ts';
import type { Input, LookName, Output, RoutedName } from '../contract/operations.ts';
import { type DaemonEvent, type EventsWish, events } from './events.ts';
import { ask, documentOf, textOf } from './exchange.ts';
import { type ClientPlace, usualPlace } from './place.ts';

export { DaemonUnreachable, RollcallProblem } from './errors.ts';
export type { DaemonEvent, EventsWish, Silence } from './events.ts';
export type { ClientPlace } from './place.ts';
export { usualPlace } from './place.ts';

/** From when on; also so long ago: `2h`, `7d`. */
type Since = { readonly since?: number | string };

/** Which entries of the ledger. */
export type ClientLogWish = Omit<Input<'log'>, 'since'> & Since;

export interface ActionOptions {
  /** The same key for the same thing: it is done once, however often it is asked for. A new one for each call otherwise. */
  readonly idempotencyKey?: string;
}

type ActionName = Exclude<RoutedName, LookName | 'restore'>;

/** An operation: the word that names what it is about, and everything else that it takes. */
type Action<N extends ActionName> = (
  word: string,
  wish?: Omit<Input<N>, 'session' | 'receipt'>,
  options?: ActionOptions,
) => Promise<Output<N>>;

/** Every operation by its name; `reopen` takes a receipt, the others a session, as their commands do. */
type Operations = { readonly [N in ActionName]: Action<N> };

/** Speaks with a running daemon. Everything throws a RollcallProblem where it is refused, and DaemonUnreachable without one. */
export interface RollcallClient extends Operations {
  roll(wish?: Input<'roll'>): Promise<Output<'roll'>>;
  /** A thorough look at one session, by its name, `$id`, `%pane` or key. */
  explain(word: string, wish?: Omit<Input<'explain'>, 'session'>): Promise<Output<'explain'>>;
  /** The daemon waits for half a minute where `timeoutMs` says nothing; `signal` ends it before. */
  wait(wish: Input<'wait'>, options?: { readonly signal?: AbortSignal }): Promise<Output<'wait'>>;
  status(wish?: Input<'status'>): Promise<Output<'status'>>;
  doctor(wish?: Input<'doctor'>): Promise<Output<'doctor'>>;
  log(wish?: ClientLogWish): Promise<Output<'log'>>;
  reapReport(wish?: Since): Promise<Output<'reapReport'>>;
  gateStatus(wish?: Input<'gateStatus'>): Promise<Output<'gateStatus'>>;
  gateReport(wish?: Since): Promise<Output<'gateReport'>>;
  /** What is lost; it has to be said with `yes` that it is to be started. */
  restore(wish: Input<'restore'>, options?: ActionOptions): Promise<Output<'restore'>>;
  /** By its name, `$id`, `%pane` or key. */
  session(word: string): Promise<SessionDocument>;
  /** The same as `explain`. */
  evidence(word: string): Promise<ExplainDocument>;
  /** The same as `log`. */
  ledger(wish?: ClientLogWish): Promise<LogDocument>;
  reaper(): Promise<ReaperDocument>;
  pressure(): Promise<PressureDocument>;
  metrics(): Promise<string>;
  events(wish?: EventsWish): AsyncGenerator<DaemonEvent, void>;
}

const TIMEOUT_MS = 30_000;

/** A client of the daemon at a place; of this user's own where none is given. */
export function createClient(place: ClientPlace = usualPlace()): RollcallClient {
  const get = async <T>(path: string, query: Readonly<Record<string, unknown>> = {}): Promise<T> =>
    documentOf(await ask(place, { method: 'GET', path: `${path}${written(query)}`, timeoutMs: TIMEOUT_MS }));
  const post = async <T>(
    path: string,
    body: object = {},
    { idempotencyKey = randomUUID() }: ActionOptions = {},
  ): Promise<T> =>
    documentOf(
      await ask(place, {
        ...{ method: 'POST', path, body, headers: { 'Idempotency-Key': idempotencyKey } },
        // A close takes as long as it takes; what it does is bounded by the daemon.
        timeoutMs: 0,
      }),
    );
  const act =
    <N extends ActionName>(name: N, of: 'sessions' | 'receipts' = 'sessions'): Action<N> =>
    (word, wish, options) =>
      post(`/v1/${of}/${encodeURIComponent(word)}/${name}`, wish, options);
  const session = (word: string) => `/v1/sessions/${encodeURIComponent(word)}`;
  const explain: RollcallClient['explain'] = (word, wish) => get(`${session(word)}/evidence`, wish);
  const log: RollcallClient['log'] = (wish) => get('/v1/ledger', wish);
  return {
    roll: (wish) => get('/v1/roll', wish),
    explain,
    wait: async (wish, { signal } = {}) =>
      documentOf(
        await ask(place, {
          ...{ method: 'GET', path: `/v1/wait${written(wish)}`, signal },
          timeoutMs: TIMEOUT_MS + (wish.timeoutMs ?? TIMEOUT_MS),
        }),
      ),
    status: (wish) => get('/v1/status', wish),
    doctor: (wish) => get('/v1/doctor', wish),
    log,
    reapReport: (wish) => get('/v1/reap/report', wish),
    gateStatus: (wish) => get('/v1/gate', wish),
    gateReport: (wish) => get('/v1/gate/report', wish),
    session: (word) => get(session(word)),
    evidence: explain,
    ledger: log,
    reaper: () => get('/v1/reaper'),
    pressure: () => get('/v1/pressure'),
    metrics: async () => textOf(await ask(place, { method: 'GET', path: '/metrics', timeoutMs: TIMEOUT_MS })),
    events: (wish) => events(place, wish),
    hold: act('hold'),
    unhold: act('unhold'),
    retain: act('retain'),
    complete: act('complete'),
    adopt: act('adopt'),
    close: act('close'),
    hibernate: act('hibernate'),
    wake: act('wake'),
    reopen: act('reopen', 'receipts'),
    restore: (wish, options) => post('/v1/restore', wish, options),
  };
}

function written(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}
