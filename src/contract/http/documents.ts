import type { Pressure } from '../../core/pressure/judge-pressure.ts';
import type { ReaperStanding } from '../../core/reaper/standing.ts';
import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { Change } from '../../core/supervision/round.ts';
import { toDocument } from '../document.ts';
import { budgetObject } from '../reap-documents.ts';
import { problemObject, toSessionObject } from '../roll-document.ts';
import { pressureObject } from '../status-document.ts';
import type {
  ChangeDocument,
  PressureDocument,
  ReaperDocument,
  SessionDocument,
  StreamDocument,
} from './response-schemas.ts';

/** One session of a roll. */
export function toSessionDocument(roll: Pick<Roll, 'host' | 'at'>, entry: SessionEntry): SessionDocument {
  return toDocument({ at: roll.at, ...toSessionObject(entry, roll.host) });
}

export function toPressureDocument(at: number, pressure: Pressure): PressureDocument {
  return toDocument({ at, ...pressureObject(pressure) });
}

// Field by field, as everywhere in the contract: what the core adds becomes part of it only on purpose.
export function toReaperDocument(at: number, standing: ReaperStanding): ReaperDocument {
  const { mode, wanted, tier, breaker, budget, pending, sessions } = standing;
  return toDocument({
    ...{ at, mode, wanted, tier },
    breaker: breaker && breakerObject(breaker),
    budget: budgetObject(budget),
    pending: pending && pendingObject(pending),
    sessions: sessions.map(({ key, name, relief, guard, memoryBytes }) => ({
      ...{ key, name, relief, memoryBytes },
      guard: guard && { code: guard.code, text: guard.text },
    })),
  });
}

/** A change as its event carries it. */
export function toChangeDocument(change: Change): ChangeDocument {
  const { number, at } = change;
  switch (change.kind) {
    case 'session': {
      const { key, name, server, agent, role, task } = change.session;
      const session = { key, name, server, agent, role, task };
      return toDocument({
        ...{ number, at, kind: change.kind, session },
        from: stateObject(change.from),
        to: stateObject(change.to),
      });
    }
    case 'pressure':
      return toDocument({
        ...{ number, at, kind: change.kind, from: change.from, to: change.to, text: change.text },
      });
    case 'reaper': {
      const { kind, mode, tier, session, relief, code, text, memoryBytes, receipt } = change.event;
      const event = { kind, at: change.event.at, mode, tier, session: namedOf(session), relief, code, text };
      return toDocument({ number, at, kind: change.kind, event: { ...event, memoryBytes, receipt } });
    }
    case 'settle': {
      const { kind, session, code, text, receipt, nextAt } = change.event;
      const event = { kind, at: change.event.at, session: { ...session }, code, text, receipt, nextAt };
      return toDocument({ number, at, kind: change.kind, event });
    }
    case 'problem': {
      const { problem, isOver } = change;
      return toDocument({ number, at, kind: change.kind, problem: problemObject(problem), isOver });
    }
  }
}

/** Where a stream of events begins. */
export function toStreamDocument(at: number, startedAt: number): StreamDocument {
  return toDocument({ at, startedAt });
}

type SessionChange = Extract<Change, { kind: 'session' }>;

function stateObject(state: SessionChange['from']) {
  if (state === null) return null;
  const { activity, waitingFor, lifecycle, isAttached, name, text } = state;
  return { activity, waitingFor, lifecycle, isAttached, name, text };
}

function breakerObject({ at, code, text, session }: NonNullable<ReaperStanding['breaker']>) {
  return { at, code, text, session: namedOf(session) };
}

function pendingObject(pending: NonNullable<ReaperStanding['pending']>) {
  const { key, name, relief, decidedAt, dueAt, memoryBytes } = pending;
  return { key, name, relief, decidedAt, dueAt, memoryBytes };
}

function namedOf(session: { readonly key: string; readonly name: string } | null) {
  return session && { key: session.key, name: session.name };
}
