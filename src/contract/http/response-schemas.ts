import * as v from 'valibot';
import { TIERS } from '../../core/pressure/tier.ts';
import { REAP_EVENTS, REAP_MODES, RELIEFS } from '../../core/reaper/standing.ts';
import { SETTLE_EVENTS } from '../../core/settle/standing.ts';
import { ACTIVITIES, LIFECYCLES, WAITING_FOR } from '../../core/verdict/verdict.ts';
import { described } from '../../schema/described.ts';
import { closeDocumentSchema } from '../close-schemas.ts';
import { candidatesSchema, problemSchema } from '../document-schemas.ts';
import { at, documentOf, memoryBytes, named } from '../schema-parts.ts';
import { sessionSchema } from '../session-schema.ts';
import { pressureSchema } from '../status-schema.ts';

const code = described(v.string(), 'kebab-case, stable once released');
const relief = v.picklist(RELIEFS);
const mode = v.picklist(REAP_MODES);
const tier = v.picklist(TIERS);

/** `GET /v1/sessions/{session}` */
export const sessionDocumentSchema = documentOf({ at, ...sessionSchema.entries });

/** `GET /v1/pressure` */
export const pressureDocumentSchema = documentOf({ at, ...pressureSchema.entries });

/** `GET /v1/reaper` */
export const reaperDocumentSchema = documentOf({
  at,
  mode,
  wanted: described(mode, 'what was asked for, where a tripped breaker holds it down'),
  tier,
  breaker: described(
    v.nullable(v.object({ at, code, text: v.string(), session: v.nullable(named) })),
    'why it fell back to shadow by itself',
  ),
  budget: v.object({
    perHour: v.number(),
    used: v.number(),
    freeAt: described(v.nullable(at), 'when the next close is free; null while one is'),
    problem: described(v.nullable(v.string()), 'why it cannot be told; nothing is closed then'),
  }),
  pending: described(
    v.nullable(v.object({ ...named.entries, relief, decidedAt: at, dueAt: at, memoryBytes })),
    'chosen, and given time to object',
  ),
  sessions: v.array(
    v.object({
      ...named.entries,
      relief: described(v.nullable(relief), 'why it may go; null where it is kept'),
      guard: described(
        v.nullable(v.object({ code, text: v.string() })),
        'what keeps it; null where nothing does',
      ),
      memoryBytes,
    }),
  ),
});

const state = v.nullable(
  v.object({
    activity: v.picklist(ACTIVITIES),
    waitingFor: v.nullable(v.picklist(WAITING_FOR)),
    lifecycle: v.picklist(LIFECYCLES),
    isAttached: v.boolean(),
    name: v.string(),
    text: described(v.string(), 'the decisive reason'),
  }),
);

const numbered = { number: described(v.number(), 'rises by one with each change'), at };

/** What the events `session`, `pressure`, `reaper`, `settle` and `problem` carry. */
export const changeDocumentSchema = v.variant('kind', [
  documentOf({
    ...numbered,
    kind: v.literal('session'),
    session: v.object({
      ...named.entries,
      server: described(v.string(), 'label'),
      agent: v.nullable(v.string()),
      role: v.nullable(v.string()),
      task: v.nullable(v.string()),
    }),
    from: described(state, 'null: it was not there'),
    to: described(state, 'null: it is gone'),
  }),
  documentOf({ ...numbered, kind: v.literal('pressure'), from: tier, to: tier, text: v.string() }),
  documentOf({
    ...numbered,
    kind: v.literal('reaper'),
    event: v.object({
      kind: v.picklist(REAP_EVENTS),
      ...{ at, mode, tier, session: v.nullable(named), relief: v.nullable(relief), code, text: v.string() },
      memoryBytes,
      receipt: v.nullable(v.string()),
    }),
  }),
  documentOf({
    ...numbered,
    kind: v.literal('settle'),
    event: v.object({
      kind: v.picklist(SETTLE_EVENTS),
      ...{ at, session: named, code, text: v.string(), receipt: v.nullable(v.string()) },
      nextAt: described(v.nullable(at), 'when it is tried again'),
    }),
  }),
  documentOf({ ...numbered, kind: v.literal('problem'), problem: problemSchema, isOver: v.boolean() }),
]);

/** What the events `ready` (the first, where nothing was missed) and `reset` (fetch the roll) carry. */
export const streamDocumentSchema = documentOf({ at, startedAt: described(at, 'of the daemon') });

/** `GET /healthz` */
export const healthDocumentSchema = v.object({ ok: v.literal(true) });

/** Every error, as `application/problem+json` (RFC 9457). */
export const problemDocumentSchema = v.object({
  type: described(v.string(), 'the code, as a URN'),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  hint: described(v.nullable(v.string()), 'what to do about it'),
  code,
  details: described(v.optional(v.array(v.string())), 'further findings, one per line'),
  candidates: candidatesSchema,
  report: described(
    v.optional(closeDocumentSchema.entries.sessions.item),
    'of a close that was not done: what prevented it, and what was done',
  ),
});

export type SessionDocument = v.InferOutput<typeof sessionDocumentSchema>;
export type PressureDocument = v.InferOutput<typeof pressureDocumentSchema>;
export type ReaperDocument = v.InferOutput<typeof reaperDocumentSchema>;
export type ChangeDocument = v.InferOutput<typeof changeDocumentSchema>;
export type StreamDocument = v.InferOutput<typeof streamDocumentSchema>;
export type ProblemDocument = v.InferOutput<typeof problemDocumentSchema>;
