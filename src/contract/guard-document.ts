import { adviceOn } from '../core/guard/advice.ts';
import type { Cause } from '../core/guard/judge-guarded.ts';
import type { GuardNote } from '../core/guard/notes.ts';
import type { PaneFate } from '../core/guard/pane-fate.ts';
import { toDocument } from './document.ts';
import type { GuardDocument, SentinelDocument, WaitDocument } from './guard-schemas.ts';

/** Who was guarded, for the documents. */
export interface GuardedSession {
  readonly key: string;
  readonly sessionId: string;
  readonly server: { readonly socketPath: string; readonly label: string; readonly pid: number };
}

/** How a watch ended; the shape is the engine's. */
interface Ended {
  readonly observedAt: number;
  readonly watchedMs: number;
  readonly name: string;
  readonly panes: readonly (PaneFate & {
    readonly screen: { readonly at: number; readonly lines: readonly string[] } | null;
  })[];
}

export type EndedWell = Ended &
  ({ readonly state: 'healthy' } | { readonly state: 'ended'; readonly why: string });
export type EndedDead = Ended & { readonly state: 'died'; readonly cause: Cause; readonly why: string };

/** What the sentinel holds. */
export function toSentinel(outcome: EndedDead, session: GuardedSession): SentinelDocument {
  return toDocument(failureOf(outcome, session));
}

/** What `rollcall guard --json` prints. */
export function toGuardDocument(
  outcome: EndedWell | EndedDead,
  session: GuardedSession,
  notes: readonly GuardNote[],
  sentinel: GuardDocument['sentinel'],
): GuardDocument {
  return toDocument({
    outcome: outcome.state,
    why: outcome.state === 'healthy' ? null : outcome.why,
    observedAt: outcome.observedAt,
    watchedMs: Math.round(outcome.watchedMs),
    session: sessionOf(outcome, session),
    panes: panesOf(outcome),
    notes: notes.map(({ code, paneId, text }) => ({ code, paneId, text })),
    failure: outcome.state === 'died' ? failureOf(outcome, session) : null,
    sentinel,
  });
}

type AwaitedObject = Readonly<WaitDocument['sessions'][number]>;

/** What `rollcall wait --json` prints; the shape is the engine's. */
export function toWaitDocument(
  at: number,
  sessions: readonly (Omit<AwaitedObject, 'server'> & { readonly server: { readonly label: string } })[],
): WaitDocument {
  return toDocument({
    at,
    sessions: sessions.map((one) => ({
      key: one.key,
      name: one.name,
      server: one.server.label,
      activity: one.activity,
      lifecycle: one.lifecycle,
      reached: one.reached,
      reachedAt: one.reachedAt,
      isGone: one.isGone,
      lastSeenAt: one.lastSeenAt,
    })),
  });
}

function failureOf(outcome: EndedDead, session: GuardedSession): Omit<SentinelDocument, 'schemaVersion'> {
  const { cause, why, observedAt } = outcome;
  const { recoverable, suggestedAction } = adviceOn(cause, outcome.panes);
  return {
    reason_category: 'infra_failure',
    recoverable,
    suggested_action: suggestedAction,
    cause,
    why,
    observedAt,
    session: sessionOf(outcome, session),
    panes: panesOf(outcome),
  };
}

function sessionOf({ name }: Ended, { key, sessionId, server }: GuardedSession): GuardDocument['session'] {
  const { socketPath, label, pid } = server;
  return { key, name, sessionId, server: { socketPath, label, pid } };
}

function panesOf({ panes }: Ended): GuardDocument['panes'] {
  return panes.map((pane) => ({
    id: pane.paneId,
    pid: pane.pid,
    state: pane.state,
    process: pane.process,
    exitStatus: pane.exit?.status ?? null,
    exitSignal: pane.exit?.signal ?? null,
    screen: [...(pane.screen?.lines ?? [])],
    screenAt: pane.screen?.at ?? null,
  }));
}
