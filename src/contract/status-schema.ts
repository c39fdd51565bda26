import { z } from 'zod';
import { ENTRY_KINDS } from '../core/ledger/entry.ts';
import { SIGNALS } from '../core/pressure/reading.ts';
import { TIERS } from '../core/pressure/tier.ts';
import { DUE_STATES } from '../core/settle/due.ts';
import { ACTIVITIES, LIFECYCLES } from '../core/verdict.ts';
import { daemonAnswerSchema, daemonSchema, supervisionSchema } from './daemon-schemas.ts';
import { problemSchema } from './document-schemas.ts';

const at = z.number().describe('epoch milliseconds');
const ms = z.number().describe('milliseconds in which the machine was awake');
const tier = z.enum(TIERS);
const amount = z.number().describe('in the unit of the signal');

const signalSchema = z.object({
  key: z.string().describe('signal and scope in one word'),
  signal: z.enum(SIGNALS),
  scope: z.string().describe('`host`, or the cgroup'),
  holders: z.array(z.string()).describe('who lives in that cgroup: rollcall, tmux servers'),
  source: z.string().describe('the file or command that was asked'),
  observedAt: at,
  state: z.enum(['read', 'absent', 'failed']).describe('`absent`: this machine has no such thing'),
  unit: z.enum(['percent', 'bytes', 'count', 'level']),
  value: z.number().nullable().describe('null where it was not read'),
  totalBytes: z.number().nullable().describe('what the bytes are a part of'),
  averages: z.array(z.object({ overMs: z.number(), value: z.number() })).describe('the shortest first'),
  note: z.string().nullable().describe('what else the source said'),
  text: z.string().nullable().describe('why it was not read'),
  thresholds: z
    .object({ moderate: amount, critical: amount, isLowBad: z.boolean().describe('less is worse') })
    .nullable()
    .describe('null where it is shown only, or was not read'),
  reached: tier.nullable().describe('the worst tier whose threshold is reached now, held or not'),
  heldMs: z.object({ moderate: ms.nullable(), critical: ms.nullable() }),
});

/** How short of memory the machine is. */
export const pressureSchema = z.object({
  tier,
  since: at,
  isFirstLook: z
    .boolean()
    .describe('no earlier look could be built on: only what carries its own duration was judged'),
  reason: z.object({
    code: z.string().describe('kebab-case, stable once released'),
    text: z.string(),
    signal: z.string().nullable().describe('key of the signal that decides'),
    value: amount.nullable(),
    threshold: amount.nullable(),
    heldMs: ms.nullable(),
  }),
  next: z
    .object({ tier, inMs: ms, signal: z.string().nullable() })
    .nullable()
    .describe('what it will be if everything stays as it is'),
  signals: z.array(signalSchema),
});

/** `rollcall status --json` */
export const statusDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  host: z.object({ id: z.string().describe('machine id'), bootId: z.string(), name: z.string() }),
  at,
  daemon: daemonSchema,
  supervision: supervisionSchema.nullable().describe('null where no daemon runs, or has just begun'),
  answer: daemonAnswerSchema
    .nullable()
    .describe('whether the daemon does its work; null where none runs, or it is not ready, or speaks itself'),
  pressure: pressureSchema,
  sessions: z.object({
    count: z.number(),
    memoryBytes: z.number().describe('of those whose memory is known'),
    largest: z
      .array(
        z.object({
          key: z.string(),
          name: z.string(),
          server: z.string().describe('label'),
          activity: z.enum(ACTIVITIES),
          lifecycle: z.enum(LIFECYCLES),
          memoryBytes: z.number(),
        }),
      )
      .describe('at most five, the largest first'),
  }),
  due: z
    .array(
      z.object({
        key: z.string(),
        name: z.string(),
        dueAt: at.nullable().describe('when it is to be closed; null where nobody can tell'),
        why: z.string(),
        state: z
          .enum(DUE_STATES)
          .describe(
            '`later`: its time is not over, or it is tried again; `working`: after its turn; `unproven`: something is missing',
          ),
      }),
    )
    .describe(
      'sessions whose work was declared complete and that are to be closed; only a daemon that settles does so by itself',
    ),
  lost: z
    .array(
      z.object({
        key: z.string(),
        name: z.string(),
        server: z.string().describe('label'),
        lastSeenAt: at,
      }),
    )
    .describe('sessions that were lost with their tmux server or with a reboot: rollcall restore'),
  ledger: z
    .object({
      entries: z.number().describe('entries that can be relied on'),
      last: z
        .object({
          sequence: z.number(),
          at,
          kind: z.enum(ENTRY_KINDS),
          action: z.string(),
          session: z.string().nullable().describe('its name'),
        })
        .nullable(),
      openIntents: z.array(z.number()).describe('intents without an outcome'),
      isDamaged: z.boolean(),
    })
    .nullable()
    .describe('null where it could not be read'),
  problems: z.array(problemSchema).describe('what kept rollcall from seeing everything'),
});

export type StatusDocument = z.infer<typeof statusDocumentSchema>;
