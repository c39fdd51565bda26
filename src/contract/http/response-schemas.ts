import { z } from 'zod';
import { TIERS } from '../../core/pressure/tier.ts';
import { REAP_MODES } from '../../core/reaper/mode.ts';
import { REAP_EVENTS, RELIEFS } from '../../core/reaper/standing.ts';
import { SETTLE_EVENTS } from '../../core/settle/standing.ts';
import { ACTIVITIES, LIFECYCLES, WAITING_FOR } from '../../core/verdict.ts';
import { closeDocumentSchema } from '../close-schemas.ts';
import { problemSchema } from '../document-schemas.ts';
import { damageSchema, entrySchema } from '../ledger-schemas.ts';
import { sessionSchema } from '../session-schema.ts';
import { pressureSchema } from '../status-schema.ts';

const schemaVersion = z.literal(1);
const at = z.number().describe('epoch milliseconds');
const code = z.string().describe('kebab-case, stable once released');
const named = z.object({ key: z.string(), name: z.string() });
const relief = z.enum(RELIEFS);
const mode = z.enum(REAP_MODES);
const tier = z.enum(TIERS);
const memoryBytes = z.number().nullable().describe('what closing it gives back; null where it is not known');

/** `GET /v1/sessions/{key}` */
export const sessionDocumentSchema = z.object({ schemaVersion, at, ...sessionSchema.shape });

/** `GET /v1/ledger` */
export const ledgerPageSchema = z.object({
  schemaVersion,
  entries: z.array(entrySchema).describe('the newest last; only those that can be relied on'),
  next: z.number().nullable().describe('`after` of the next page; null where this is the last one'),
  head: z.object({ sequence: z.number(), hash: z.string() }).describe('the last entry that can be relied on'),
  damage: damageSchema.nullable().describe('why there may be more'),
});

/** `GET /v1/pressure` */
export const pressureDocumentSchema = z.object({ schemaVersion, at, ...pressureSchema.shape });

/** `GET /v1/reaper` */
export const reaperDocumentSchema = z.object({
  schemaVersion,
  at,
  mode,
  wanted: mode.describe('what was asked for, where a tripped breaker holds it down'),
  tier,
  breaker: z
    .object({ at, code, text: z.string(), session: named.nullable() })
    .nullable()
    .describe('why it fell back to shadow by itself'),
  budget: z.object({
    perHour: z.number(),
    used: z.number(),
    freeAt: at.nullable().describe('when the next close is free; null while one is'),
    problem: z.string().nullable().describe('why it cannot be told; nothing is closed then'),
  }),
  pending: z
    .object({ ...named.shape, relief, decidedAt: at, dueAt: at, memoryBytes })
    .nullable()
    .describe('chosen, and given time to object'),
  sessions: z.array(
    z.object({
      ...named.shape,
      relief: relief.nullable().describe('why it may go; null where it is kept'),
      guard: z
        .object({ code, text: z.string() })
        .nullable()
        .describe('what keeps it; null where nothing does'),
      memoryBytes,
    }),
  ),
});

const state = z
  .object({
    activity: z.enum(ACTIVITIES),
    waitingFor: z.enum(WAITING_FOR).nullable(),
    lifecycle: z.enum(LIFECYCLES),
    isAttached: z.boolean(),
    name: z.string(),
    text: z.string().describe('the decisive reason'),
  })
  .nullable();

const numbered = { schemaVersion, number: z.number().describe('rises by one with each change'), at };

/** What the events `session`, `pressure`, `reaper`, `settle` and `problem` carry. */
export const changeDocumentSchema = z.discriminatedUnion('kind', [
  z.object({
    ...numbered,
    kind: z.literal('session'),
    session: z.object({
      ...named.shape,
      server: z.string().describe('label'),
      agent: z.string().nullable(),
      role: z.string().nullable(),
      task: z.string().nullable(),
    }),
    from: state.describe('null: it was not there'),
    to: state.describe('null: it is gone'),
  }),
  z.object({ ...numbered, kind: z.literal('pressure'), from: tier, to: tier, text: z.string() }),
  z.object({
    ...numbered,
    kind: z.literal('reaper'),
    event: z.object({
      kind: z.enum(REAP_EVENTS),
      ...{ at, mode, tier, session: named.nullable(), relief: relief.nullable(), code, text: z.string() },
      memoryBytes,
      receipt: z.string().nullable(),
    }),
  }),
  z.object({
    ...numbered,
    kind: z.literal('settle'),
    event: z.object({
      kind: z.enum(SETTLE_EVENTS),
      ...{ at, session: named, code, text: z.string(), receipt: z.string().nullable() },
      nextAt: at.nullable().describe('when it is tried again'),
    }),
  }),
  z.object({ ...numbered, kind: z.literal('problem'), problem: problemSchema, isOver: z.boolean() }),
]);

/** What the events `ready` (the first, where nothing was missed) and `reset` (fetch the roll) carry. */
export const streamDocumentSchema = z.object({ schemaVersion, at, startedAt: at.describe('of the daemon') });

/** `GET /healthz` */
export const healthDocumentSchema = z.object({ ok: z.literal(true) });

/** Every error, as `application/problem+json` (RFC 9457). */
export const problemDocumentSchema = z.object({
  type: z.string().describe('the code, as a URN'),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  hint: z.string().nullable().describe('what to do about it'),
  code,
  details: z.array(z.string()).optional().describe('further findings, one per line'),
  report: closeDocumentSchema.shape.sessions.element
    .optional()
    .describe('of a close that did not come about: what stands against it, and what was done'),
});

export type SessionDocument = z.infer<typeof sessionDocumentSchema>;
export type LedgerPage = z.infer<typeof ledgerPageSchema>;
export type PressureDocument = z.infer<typeof pressureDocumentSchema>;
export type ReaperDocument = z.infer<typeof reaperDocumentSchema>;
export type ChangeDocument = z.infer<typeof changeDocumentSchema>;
export type StreamDocument = z.infer<typeof streamDocumentSchema>;
export type ProblemDocument = z.infer<typeof problemDocumentSchema>;
