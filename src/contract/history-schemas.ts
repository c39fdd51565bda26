import * as v from 'valibot';
import { TIERS } from '../core/pressure/tier.ts';
import { REAP_EVENTS, REAP_MODES, RELIEFS } from '../core/reaper/standing.ts';
import { described } from '../schema/described.ts';
import { at, documentOf, eachOf, named } from './schema-parts.ts';

const ms = described(v.number(), 'milliseconds in which the machine was awake');
const bytes = described(v.nullable(v.number()), 'null where it is not known');
const tier = v.picklist(TIERS);
const gap = described(v.object({ from: at, to: at }), 'time in which nobody looked');

const eventSchema = v.object({
  kind: v.picklist(REAP_EVENTS),
  at,
  mode: v.picklist(REAP_MODES),
  tier,
  session: v.nullable(named),
  relief: v.nullable(v.picklist(RELIEFS)),
  code: described(v.string(), 'the guard, the refusal, the failure: kebab-case'),
  text: v.string(),
  memoryBytes: bytes,
  receipt: v.nullable(v.string()),
});

const tallySchema = v.object({
  code: described(v.string(), 'the guard: kebab-case, stable once released'),
  times: described(v.number(), 'transitions: how often it began to keep a session'),
  sessions: described(v.number(), 'over how many sessions'),
  text: described(v.string(), 'as it was put the last time'),
});

/** `rollcall reap report --json` */
export const reapReportDocumentSchema = documentOf({
  since: at,
  from: described(v.nullable(at), 'first record of that time; null where the history holds none'),
  to: v.nullable(at),
  watchedMs: described(ms, 'milliseconds, awake, in which the daemon looked'),
  gaps: v.array(gap),
  tiers: v.array(v.object({ tier, ms })),
  modes: v.array(v.object({ mode: v.picklist(REAP_MODES), ms })),
  counts: v.object(eachOf(REAP_EVENTS, v.number())),
  events: described(v.array(eventSchema), 'everything but vetoes, the oldest first'),
  vetoes: described(v.array(tallySchema), 'the most frequent first'),
  spared: described(v.array(tallySchema), 'why chosen sessions were spared after all'),
  freedBytes: v.number(),
  couldFreeBytes: described(v.number(), 'of what shadow would have closed, each session once'),
  damagedLines: described(v.number(), 'lines of the history that were cut or garbled, and passed over'),
  unknownLines: described(v.number(), 'lines that only a newer rollcall understands'),
});

const aftermathSchema = v.variant('kind', [
  v.object({ kind: v.literal('used-again'), afterMs: ms, how: v.picklist(['turn', 'person', 'activity']) }),
  v.object({ kind: v.literal('went-unused'), afterMs: ms, by: v.picklist(['rollcall', 'others']) }),
  described(
    v.object({ kind: v.literal('still-there'), watchedMs: ms }),
    'not used up to the end of the record',
  ),
  described(v.object({ kind: v.literal('went-unseen'), watchedMs: ms }), 'it went while nobody looked'),
]);

const closeFields = {
  key: v.string(),
  name: v.string(),
  server: described(v.string(), 'label'),
  at,
  tier,
  relief: v.nullable(v.picklist(RELIEFS)),
  text: v.string(),
  memoryBytes: bytes,
  lent: described(
    v.array(v.picklist(['git', 'screen'])),
    'proof that only a later look took, in a pane that was quiet until then',
  ),
  aftermath: described(aftermathSchema, 'what really happened to it later'),
};

/** `rollcall backtest --json` */
export const backtestDocumentSchema = documentOf({
  since: at,
  policy: described(v.nullable(v.string()), 'the file that was tried; null: the settings in force'),
  tier: described(v.nullable(tier), 'pressure that was assumed all the time; null: as it was'),
  from: v.nullable(at),
  to: v.nullable(at),
  watchedMs: ms,
  pressedMs: described(ms, 'milliseconds, awake, of more than normal pressure'),
  gaps: v.array(gap),
  sessions: described(v.number(), 'sessions in the record'),
  closes: described(v.array(v.object(closeFields)), 'what would have been closed, the first one first'),
  recorded: described(
    v.array(v.object({ ...closeFields, kind: v.picklist(['closed', 'would-close']) })),
    'what the policy of that time closed, or would have',
  ),
  kept: described(
    v.array(v.object({ code: v.string(), sessions: v.number() })),
    'what kept the others, by guard',
  ),
  summary: v.object({
    sessions: v.number(),
    memoryBytes: v.number(),
    usedAgain: v.number(),
    neverUsedAgain: described(v.number(), 'went unused later, or still there and not used up to the end'),
    notKnown: described(v.number(), 'went while nobody looked'),
    text: v.string(),
  }),
  damagedLines: v.number(),
  unknownLines: v.number(),
});

export type ReapReportDocument = v.InferOutput<typeof reapReportDocumentSchema>;
export type BacktestDocument = v.InferOutput<typeof backtestDocumentSchema>;
