import * as v from 'valibot';
import { TIERS } from '../core/pressure/tier.ts';
import { REAP_EVENTS, REAP_MODES, RELIEFS } from '../core/reaper/standing.ts';
import { described } from '../schema/described.ts';
import { at, documentOf, memoryBytes, named } from './schema-parts.ts';

const guard = v.object({ code: v.string(), text: v.string() });

const breaker = described(
  v.nullable(v.object({ at, code: v.string(), text: v.string(), session: v.nullable(named) })),
  'why the reaper fell back to shadow by itself',
);

const budget = v.object({
  perHour: v.number(),
  used: described(v.number(), 'by all rollcalls of this user on this host'),
  freeAt: v.nullable(at),
  problem: described(v.nullable(v.string()), 'why it cannot be told; nothing is closed then'),
});

/** What `rollcall reap mode --json` prints. */
export const reapModeDocumentSchema = documentOf({
  mode: described(v.picklist(REAP_MODES), 'what the reaper may do now'),
  wanted: described(v.picklist(REAP_MODES), 'what was asked for'),
  breaker,
  budget,
  problem: described(v.nullable(v.string()), 'why the mode could not be read; it is shadow then'),
});

const candidate = v.object({
  ...named.entries,
  place: described(v.nullable(v.number()), '1 goes first; null where it is kept'),
  relief: described(v.nullable(v.picklist(RELIEFS)), 'as what it would go; null where it is kept'),
  guard: described(v.nullable(guard), 'what keeps it'),
  memoryBytes,
});

const event = v.object({
  kind: v.picklist(REAP_EVENTS),
  at,
  session: v.nullable(named),
  relief: v.nullable(v.picklist(RELIEFS)),
  code: v.string(),
  text: v.string(),
  memoryBytes,
  receipt: v.nullable(v.string()),
});

/** What `rollcall reap now --json` prints. */
export const reapDocumentSchema = documentOf({
  at,
  isDryRun: v.boolean(),
  mode: v.picklist(REAP_MODES),
  tier: described(v.picklist(TIERS), 'the pressure that was decided on'),
  isAssumed: described(v.boolean(), 'the tier is that of --tier, not of the machine'),
  breaker,
  budget,
  confirmMs: described(v.number(), 'how long a session is watched before it is chosen'),
  graceMs: described(v.number(), 'how long it is given after that'),
  sessions: v.array(candidate),
  events: described(v.array(event), 'what was done'),
});

export type ReapModeDocument = v.InferOutput<typeof reapModeDocumentSchema>;
export type ReapDocument = v.InferOutput<typeof reapDocumentSchema>;
