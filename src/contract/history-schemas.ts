import { z } from 'zod';
import { TIERS } from '../core/pressure/tier.ts';
import { REAP_MODES } from '../core/reaper/mode.ts';
import { REAP_EVENTS, RELIEFS } from '../core/reaper/standing.ts';

const schemaVersion = z.literal(1);
const at = z.number().describe('epoch milliseconds');
const ms = z.number().describe('milliseconds in which the machine was awake');
const bytes = z.number().nullable().describe('null where it is not known');
const tier = z.enum(TIERS);
const gap = z.object({ from: at, to: at }).describe('time in which nobody looked');

const eventSchema = z.object({
  kind: z.enum(REAP_EVENTS),
  at,
  mode: z.enum(REAP_MODES),
  tier,
  session: z.object({ key: z.string(), name: z.string() }).nullable(),
  relief: z.enum(RELIEFS).nullable(),
  code: z.string().describe('the guard, the refusal, the failure: kebab-case'),
  text: z.string(),
  memoryBytes: bytes,
  receipt: z.string().nullable(),
});

const tallySchema = z.object({
  code: z.string().describe('the guard: kebab-case, stable once released'),
  times: z.number().describe('transitions: how often it began to keep a session'),
  sessions: z.number().describe('over how many sessions'),
  text: z.string().describe('as it was put the last time'),
});

const counts = z.object(
  Object.fromEntries(REAP_EVENTS.map((kind) => [kind, z.number()])) as Record<
    (typeof REAP_EVENTS)[number],
    z.ZodNumber
  >,
);

/** `rollcall reap report --json` */
export const reapReportDocumentSchema = z.object({
  schemaVersion,
  since: at,
  from: at.nullable().describe('first record of that time; null where the history holds none'),
  to: at.nullable(),
  watchedMs: ms.describe('milliseconds, awake, in which the daemon looked'),
  gaps: z.array(gap),
  tiers: z.array(z.object({ tier, ms })),
  modes: z.array(z.object({ mode: z.enum(REAP_MODES), ms })),
  counts,
  events: z.array(eventSchema).describe('everything but vetoes, the oldest first'),
  vetoes: z.array(tallySchema).describe('the most frequent first'),
  spared: z.array(tallySchema).describe('why chosen sessions were spared after all'),
  freedBytes: z.number(),
  couldFreeBytes: z.number().describe('of what shadow would have closed, each session once'),
  damagedLines: z.number().describe('lines of the history that were cut or garbled, and passed over'),
  unknownLines: z.number().describe('lines that only a newer rollcall understands'),
});

const aftermathSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('used-again'), afterMs: ms, how: z.enum(['turn', 'person', 'activity']) }),
  z.object({ kind: z.literal('went-unused'), afterMs: ms, by: z.enum(['rollcall', 'others']) }),
  z
    .object({ kind: z.literal('still-there'), watchedMs: ms })
    .describe('not used up to the end of the record'),
  z.object({ kind: z.literal('went-unseen'), watchedMs: ms }).describe('it went while nobody looked'),
]);

const closeFields = {
  key: z.string(),
  name: z.string(),
  server: z.string().describe('label'),
  at,
  tier,
  relief: z.enum(RELIEFS).nullable(),
  text: z.string(),
  memoryBytes: bytes,
  lent: z
    .array(z.enum(['git', 'screen']))
    .describe('proof that only a later look took, in a pane that was quiet until then'),
  aftermath: aftermathSchema.describe('what really happened to it later'),
};

/** `rollcall backtest --json` */
export const backtestDocumentSchema = z.object({
  schemaVersion,
  since: at,
  policy: z.string().nullable().describe('the file that was tried; null: the settings in force'),
  tier: tier.nullable().describe('pressure that was assumed all the time; null: as it was'),
  from: at.nullable(),
  to: at.nullable(),
  watchedMs: ms,
  pressedMs: ms.describe('milliseconds, awake, of more than normal pressure'),
  gaps: z.array(gap),
  sessions: z.number().describe('sessions in the record'),
  closes: z.array(z.object(closeFields)).describe('what would have been closed, the first one first'),
  recorded: z
    .array(z.object({ ...closeFields, kind: z.enum(['closed', 'would-close']) }))
    .describe('what the policy of that time closed, or would have'),
  kept: z
    .array(z.object({ code: z.string(), sessions: z.number() }))
    .describe('what kept the others, by guard'),
  summary: z.object({
    sessions: z.number(),
    memoryBytes: z.number(),
    usedAgain: z.number(),
    neverUsedAgain: z.number().describe('went unused later, or still there and not used up to the end'),
    notKnown: z.number().describe('went while nobody looked'),
    text: z.string(),
  }),
  damagedLines: z.number(),
  unknownLines: z.number(),
});

export type ReapReportDocument = z.infer<typeof reapReportDocumentSchema>;
export type BacktestDocument = z.infer<typeof backtestDocumentSchema>;
