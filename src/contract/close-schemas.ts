import { z } from 'zod';
import { RUNGS } from '../core/close/ladder.ts';
import { FATES } from '../core/close/listing.ts';
import { RECEIPT_RESULTS } from '../core/close/receipt.ts';
import { CLOSE_RESULTS } from '../core/close/report.ts';
import { CLAIMS } from '../core/ledger/current-facts.ts';
import { blockerKind } from './session-schema.ts';

const schemaVersion = z.literal(1);
const at = z.number().describe('epoch milliseconds');
const noted = z.object({ code: z.string(), text: z.string() });
const blocked = z.object({ code: z.string(), kind: blockerKind, text: z.string() });
const rungName = z.enum(['archive', ...RUNGS]);
const claims = z.object(Object.fromEntries(CLAIMS.map((claim) => [claim, z.string().nullable()])));

/** One rung of the ladder as it went. */
const rungSchema = z.object({
  rung: rungName,
  startedAt: at,
  endedAt: at,
  result: z
    .enum(['done', 'skipped', 'unanswered', 'failed'])
    .describe('`unanswered`: it was done, and what should have ended did not'),
  text: z.string(),
});

/** What a close leaves: the body of its entry in the ledger. */
export const receiptSchema = z.object({
  receipt: z.string().describe('its name, which `rollcall reopen` takes; the archive has the same'),
  result: z
    .enum(RECEIPT_RESULTS)
    .describe(
      '`finished`: its program ended with status 0, or after its completion; `gone`: it was lost, or its program had ended otherwise, before; `recovered`: whoever closed it was stopped before it could say so; `partial`: an agent was ended, and then the close stopped, so the session is not closed; `asleep`: its agent sleeps, and the session stays',
    ),
  reason: z.string().nullable().describe('as given with --reason'),
  session: z.looseObject({ key: z.string(), name: z.string() }),
  agent: z.looseObject({}).nullable(),
  verdict: z.looseObject({}).nullable().describe('on which it was closed'),
  isForced: z.boolean(),
  waived: z
    .array(z.object({ code: z.string(), kind: blockerKind.optional(), text: z.string() }))
    .describe('what stood against it and was set aside; earlier versions told no `kind`'),
  despite: z.array(z.string()).describe('protections that were set aside'),
  rungs: z.array(rungSchema),
  archive: z.string().nullable().describe('path of what was kept'),
  digests: z
    .record(z.string(), z.string())
    .nullable()
    .optional()
    .describe('SHA-256 of each file of the archive, by its name; absent in receipts of earlier versions'),
  survivors: z
    .array(z.object({ pid: z.number(), startTicks: z.number(), program: z.string() }))
    .describe('processes that belonged to it and still run'),
  notes: z.array(z.string()),
  resume: z.array(z.string()).nullable().describe('the argv that brings the conversation back'),
  conversations: z
    .array(
      z.object({
        paneId: z.string().nullable().describe('null where only its start is known'),
        agent: z.string(),
        conversation: z.string(),
        isProven: z
          .boolean()
          .describe('what a resume would read was read after the agent had left: it is whole and has a turn'),
        lacks: z.string().nullable().describe('what stands against a resume; null where it is proven'),
        copy: z.string().nullable().describe('SHA-256 of the index of its copy; null where none is kept'),
        copyBytes: z.number().nullable().describe('what the copy takes on the disk'),
        notKept: z.string().nullable().describe('why there is no copy'),
        goodUntil: at
          .nullable()
          .describe(
            'without a copy: when the agent deletes it by itself; null: it is good as long as the copy is kept, or no end is known',
          ),
      }),
    )
    .optional()
    .describe('absent in receipts of earlier versions'),
  sleeper: z
    .object({
      paneId: z.string(),
      pid: z.number(),
      startTicks: z.number(),
      freedBytes: z.number().nullable().describe('memory that came back'),
      isPaneKept: z.boolean().describe('its pane stays when what was woken ends in it'),
    })
    .optional()
    .describe('what waits in the place of an agent that sleeps'),
  claims: claims.nullable().describe('a close releases none of them'),
  evidence: z.array(z.looseObject({})).describe('empty where it is too much; the archive has it all'),
});

/** `rollcall close --json` */
export const closeDocumentSchema = z.object({
  schemaVersion,
  at,
  isDryRun: z.boolean().describe('nothing was done'),
  sessions: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      result: z
        .enum(CLOSE_RESULTS)
        .describe(
          '`aborted`: something changed on the way, and the session still stands; `unrecorded`: something was done, and the ledger took no more, so the next command records it',
        ),
      exitCode: z.number(),
      text: z.string(),
      hint: z.string().nullable(),
      blockers: z.array(blocked),
      protections: z.array(noted),
      waived: z.array(blocked),
      planned: z.array(z.object({ rung: rungName, text: z.string() })).describe('with --dry-run'),
      processes: z
        .array(
          z.object({
            pid: z.number(),
            startTicks: z.number(),
            program: z.string(),
            command: z.string(),
            paneId: z.string(),
            what: z
              .enum(FATES)
              .describe(
                '`end`: signalled where it does not end by itself; `hang-up`: its terminal goes; `keep`: nothing',
              ),
            why: z.string().nullable().describe('why it gets no signal'),
          }),
        )
        .describe(
          'every process of it before anything was done; nothing that is not `end` here is ever signalled',
        ),
      rungs: z.array(rungSchema),
      receipt: receiptSchema.nullable(),
    }),
  ),
});

/** `rollcall reopen --json` */
export const reopenDocumentSchema = z.object({
  schemaVersion,
  result: z.literal('reopened'),
  key: z.string().describe('of the new session'),
  name: z.string(),
  server: z.object({ socketPath: z.string() }),
  cwd: z.string().describe('the folder of its first pane'),
  reopens: z.string().describe('key of the session that was closed or lost'),
  receipt: z.string().nullable(),
  argv: z.array(z.string()).nullable().describe('what was started; null for a plain shell'),
  env: z.array(z.string()).describe('names of the variables that it has again from its --env'),
  commands: z
    .array(z.array(z.string()))
    .describe('what its other panes run again, as tmux was given it; what looks like a secret is masked'),
  conversation: z.string().nullable(),
  windows: z.number(),
  panes: z.number(),
  missing: z.array(z.string()).describe('what is not as it was'),
  putBack: z
    .array(z.string())
    .describe('files of its conversation that its agent had deleted, and that are there again from the copy'),
});

/** `rollcall wake --json` */
export const wakeDocumentSchema = z.object({
  schemaVersion,
  result: z.enum(['woken', 'awake']).describe('`awake`: nothing slept in it, and nothing was done'),
  key: z.string(),
  name: z.string(),
  receipt: z.string().nullable().describe('what it was woken from'),
  cwd: z.string().nullable(),
  argv: z.array(z.string()).nullable().describe('what was started'),
  env: z.array(z.string()).describe('names of the variables that it has again from its --env'),
  conversation: z.string().nullable(),
  missing: z.array(z.string()).describe('what is not as it was'),
  putBack: z
    .array(z.string())
    .describe('files of its conversation that its agent had deleted, and that are there again from the copy'),
});

export type CloseDocument = z.infer<typeof closeDocumentSchema>;
export type ReopenDocument = z.infer<typeof reopenDocumentSchema>;
export type WakeDocument = z.infer<typeof wakeDocumentSchema>;
