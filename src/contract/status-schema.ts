import * as v from 'valibot';
import { ENTRY_KINDS } from '../core/ledger/entry.ts';
import { SIGNALS } from '../core/pressure/reading.ts';
import { TIERS } from '../core/pressure/tier.ts';
import { DUE_STATES } from '../core/settle/due.ts';
import { ACTIVITIES, LIFECYCLES } from '../core/verdict/verdict.ts';
import { described } from '../schema/described.ts';
import { daemonAnswerSchema, daemonSchema, supervisionSchema } from './daemon-schemas.ts';
import { problemSchema } from './document-schemas.ts';
import { at, documentOf, host } from './schema-parts.ts';

const ms = described(v.number(), 'milliseconds in which the machine was awake');
const tier = v.picklist(TIERS);
const amount = described(v.number(), 'in the unit of the signal');

const signalSchema = v.object({
  key: described(v.string(), 'signal and scope in one word'),
  signal: v.picklist(SIGNALS),
  scope: described(v.string(), '`host`, or the cgroup'),
  holders: described(v.array(v.string()), 'who lives in that cgroup: rollcall, tmux servers'),
  source: described(v.string(), 'the file or command that was asked'),
  observedAt: at,
  state: described(v.picklist(['read', 'absent', 'failed']), '`absent`: this machine has no such thing'),
  unit: v.picklist(['percent', 'bytes', 'count', 'level']),
  value: described(v.nullable(v.number()), 'null where it was not read'),
  totalBytes: described(v.nullable(v.number()), 'what the bytes are a part of'),
  averages: described(v.array(v.object({ overMs: v.number(), value: v.number() })), 'the shortest first'),
  note: described(v.nullable(v.string()), 'what else the source said'),
  text: described(v.nullable(v.string()), 'why it was not read'),
  thresholds: described(
    v.nullable(
      v.object({ moderate: amount, critical: amount, isLowBad: described(v.boolean(), 'less is worse') }),
    ),
    'null where it is shown only, or was not read',
  ),
  reached: described(v.nullable(tier), 'the worst tier whose threshold is reached now, held or not'),
  heldMs: v.object({ moderate: v.nullable(ms), critical: v.nullable(ms) }),
});

/** How short of memory the machine is. */
export const pressureSchema = v.object({
  tier,
  since: at,
  isFirstLook: described(
    v.boolean(),
    'no earlier look could be built on: only what carries its own duration was judged',
  ),
  reason: v.object({
    code: described(v.string(), 'kebab-case, stable once released'),
    text: v.string(),
    signal: described(v.nullable(v.string()), 'key of the signal that decides'),
    value: v.nullable(amount),
    threshold: v.nullable(amount),
    heldMs: v.nullable(ms),
  }),
  next: described(
    v.nullable(v.object({ tier, inMs: ms, signal: v.nullable(v.string()) })),
    'what it will be if everything stays as it is',
  ),
  signals: v.array(signalSchema),
});

/** `rollcall status --json` */
export const statusDocumentSchema = documentOf({
  host,
  at,
  daemon: daemonSchema,
  supervision: described(v.nullable(supervisionSchema), 'null where no daemon runs, or has just begun'),
  answer: described(
    v.nullable(daemonAnswerSchema),
    'whether the daemon does its work; null where none runs, or it is not ready, or speaks itself',
  ),
  pressure: pressureSchema,
  sessions: v.object({
    count: v.number(),
    memoryBytes: described(v.number(), 'of those whose memory is known'),
    largest: described(
      v.array(
        v.object({
          key: v.string(),
          name: v.string(),
          server: described(v.string(), 'label'),
          activity: v.picklist(ACTIVITIES),
          lifecycle: v.picklist(LIFECYCLES),
          memoryBytes: v.number(),
        }),
      ),
      'at most five, the largest first',
    ),
  }),
  due: described(
    v.array(
      v.object({
        key: v.string(),
        name: v.string(),
        dueAt: described(v.nullable(at), 'when it is to be closed; null where nobody can tell'),
        why: v.string(),
        state: described(
          v.picklist(DUE_STATES),
          '`later`: its time is not over, or it is tried again; `working`: after its turn; `unproven`: something is missing',
        ),
      }),
    ),
    'sessions whose work was declared complete and that are to be closed; only a daemon that settles does so by itself',
  ),
  lost: described(
    v.array(
      v.object({
        key: v.string(),
        name: v.string(),
        server: described(v.string(), 'label'),
        lastSeenAt: at,
      }),
    ),
    'sessions that were lost with their tmux server or with a reboot: rollcall restore',
  ),
  ledger: described(
    v.nullable(
      v.object({
        entries: described(v.number(), 'entries that can be relied on'),
        last: v.nullable(
          v.object({
            sequence: v.number(),
            at,
            kind: v.picklist(ENTRY_KINDS),
            action: v.string(),
            session: described(v.nullable(v.string()), 'its name'),
          }),
        ),
        openIntents: described(v.array(v.number()), 'intents without an outcome'),
        isDamaged: v.boolean(),
      }),
    ),
    'null where it could not be read',
  ),
  problems: described(v.array(problemSchema), 'what kept rollcall from seeing everything'),
});

export type StatusDocument = v.InferOutput<typeof statusDocumentSchema>;
