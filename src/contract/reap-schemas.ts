import { z } from 'zod';
import { TIERS } from '../core/pressure/tier.ts';
import { REAP_MODES } from '../core/reaper/mode.ts';
import { REAP_EVENTS, RELIEFS } from '../core/reaper/standing.ts';

const at = z.number().describe('epoch ms');
const session = z.object({ key: z.string(), name: z.string() });
const guard = z.object({ code: z.string(), text: z.string() });
const memoryBytes = z.number().nullable().describe('what closing it gives back; null where it is not known');

const breaker = z
  .object({ at, code: z.string(), text: z.string(), session: session.nullable() })
  .nullable()
  .describe('why the reaper fell back to shadow by itself');

const budget = z.object({
  perHour: z.number(),
  used: z.number().describe('by all rollcalls of this user on this host'),
  freeAt: at.nullable(),
  problem: z.string().nullable().describe('why it cannot be told; nothing is closed then'),
});

/** What `rollcall reap mode --json` prints. */
export const reapModeDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  mode: z.enum(REAP_MODES).describe('what the reaper may do now'),
  wanted: z.enum(REAP_MODES).describe('what was asked for'),
  breaker,
  budget,
  problem: z.string().nullable().describe('why the mode could not be read; it is shadow then'),
});

const candidate = z.object({
  ...session.shape,
  place: z.number().nullable().describe('1 goes first; null where it is kept'),
  relief: z.enum(RELIEFS).nullable().describe('as what it would go; null where it is kept'),
  guard: guard.nullable().describe('what keeps it'),
  memoryBytes,
});

const event = z.object({
  kind: z.enum(REAP_EVENTS),
  at,
  session: session.nullable(),
  relief: z.enum(RELIEFS).nullable(),
  code: z.string(),
  text: z.string(),
  memoryBytes,
  receipt: z.string().nullable(),
});

/** What `rollcall reap now --json` prints. */
export const reapDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  at,
  isDryRun: z.boolean(),
  mode: z.enum(REAP_MODES),
  tier: z.enum(TIERS).describe('the pressure that was decided on'),
  isAssumed: z.boolean().describe('the tier is that of --tier, not of the machine'),
  breaker,
  budget,
  confirmMs: z.number().describe('how long a session is watched before it is chosen'),
  graceMs: z.number().describe('how long it is given after that'),
  sessions: z.array(candidate),
  events: z.array(event).describe('what was done'),
});

export type ReapModeDocument = z.infer<typeof reapModeDocumentSchema>;
export type ReapDocument = z.infer<typeof reapDocumentSchema>;
