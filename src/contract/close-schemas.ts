import * as v from 'valibot';
import { RUNGS } from '../core/close/ladder.ts';
import { FATES } from '../core/close/listing.ts';
import { RECEIPT_RESULTS } from '../core/close/receipt.ts';
import { CLOSE_RESULTS } from '../core/close/report.ts';
import { CLAIMS } from '../core/ledger/current-facts.ts';
import { described } from '../schema/described.ts';
import { blockerKind } from './session-schema.ts';

const schemaVersion = v.literal(1);
const at = described(v.number(), 'epoch milliseconds');
const noted = v.object({ code: v.string(), text: v.string() });
const blocked = v.object({ code: v.string(), kind: blockerKind, text: v.string() });
const rungName = v.picklist(['archive', ...RUNGS]);
const claims = v.object(Object.fromEntries(CLAIMS.map((claim) => [claim, v.nullable(v.string())])));

/** One rung of the ladder as it went. */
const rungSchema = v.object({
  rung: rungName,
  startedAt: at,
  endedAt: at,
  result: described(
    v.picklist(['done', 'skipped', 'unanswered', 'failed']),
    '`unanswered`: it was done, and what should have ended did not',
  ),
  text: v.string(),
});

/** What a close leaves: the body of its entry in the ledger. */
export const receiptSchema = v.object({
  receipt: described(v.string(), 'its name, which `rollcall reopen` takes; the archive has the same'),
  result: described(
    v.picklist(RECEIPT_RESULTS),
    '`finished`: its program ended with status 0, or after its completion; `gone`: it was lost, or its program had ended otherwise, before; `recovered`: whoever closed it was stopped before it could say so; `partial`: an agent was ended, and then the close stopped, so the session is not closed; `asleep`: its agent sleeps, and the session stays',
  ),
  reason: described(v.nullable(v.string()), 'as given with --reason'),
  session: v.looseObject({ key: v.string(), name: v.string() }),
  agent: v.nullable(v.looseObject({})),
  verdict: described(v.nullable(v.looseObject({})), 'on which it was closed'),
  isForced: v.boolean(),
  waived: described(
    v.array(v.object({ code: v.string(), kind: v.optional(blockerKind), text: v.string() })),
    'what stood against it and was set aside; earlier versions told no `kind`',
  ),
  despite: described(v.array(v.string()), 'protections that were set aside'),
  rungs: v.array(rungSchema),
  archive: described(v.nullable(v.string()), 'path of what was kept'),
  digests: described(
    v.optional(v.nullable(v.record(v.string(), v.string()))),
    'SHA-256 of each file of the archive, by its name; absent in receipts of earlier versions',
  ),
  survivors: described(
    v.array(v.object({ pid: v.number(), startTicks: v.number(), program: v.string() })),
    'processes that belonged to it and still run',
  ),
  notes: v.array(v.string()),
  resume: described(v.nullable(v.array(v.string())), 'the argv that brings the conversation back'),
  conversations: described(
    v.optional(
      v.array(
        v.object({
          paneId: described(v.nullable(v.string()), 'null where only its start is known'),
          agent: v.string(),
          conversation: v.string(),
          isProven: described(
            v.boolean(),
            'what a resume would read was read after the agent had left: it is whole and has a turn',
          ),
          lacks: described(v.nullable(v.string()), 'what stands against a resume; null where it is proven'),
          copy: described(
            v.nullable(v.string()),
            'SHA-256 of the index of its copy; null where none is kept',
          ),
          copyBytes: described(v.nullable(v.number()), 'what the copy takes on the disk'),
          notKept: described(v.nullable(v.string()), 'why there is no copy'),
          goodUntil: described(
            v.nullable(at),
            'without a copy: when the agent deletes it by itself; null: it is good as long as the copy is kept, or no end is known',
          ),
        }),
      ),
    ),
    'absent in receipts of earlier versions',
  ),
  sleeper: described(
    v.optional(
      v.object({
        paneId: v.string(),
        pid: v.number(),
        startTicks: v.number(),
        freedBytes: described(v.nullable(v.number()), 'memory that came back'),
        isPaneKept: described(v.boolean(), 'its pane stays when what was woken ends in it'),
      }),
    ),
    'what waits in the place of an agent that sleeps',
  ),
  claims: described(v.nullable(claims), 'a close releases none of them'),
  evidence: described(v.array(v.looseObject({})), 'empty where it is too much; the archive has it all'),
});

/** `rollcall close --json` */
export const closeDocumentSchema = v.object({
  schemaVersion,
  at,
  isDryRun: described(v.boolean(), 'nothing was done'),
  sessions: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      result: described(
        v.picklist(CLOSE_RESULTS),
        '`aborted`: something changed on the way, and the session still stands; `unrecorded`: something was done, and the ledger took no more, so the next command records it',
      ),
      exitCode: v.number(),
      text: v.string(),
      hint: v.nullable(v.string()),
      blockers: v.array(blocked),
      protections: v.array(noted),
      waived: v.array(blocked),
      planned: described(v.array(v.object({ rung: rungName, text: v.string() })), 'with --dry-run'),
      processes: described(
        v.array(
          v.object({
            pid: v.number(),
            startTicks: v.number(),
            program: v.string(),
            command: v.string(),
            paneId: v.string(),
            what: described(
              v.picklist(FATES),
              '`end`: signalled where it does not end by itself; `hang-up`: its terminal goes; `keep`: nothing',
            ),
            why: described(v.nullable(v.string()), 'why it gets no signal'),
          }),
        ),
        'every process of it before anything was done; nothing that is not `end` here is ever signalled',
      ),
      rungs: v.array(rungSchema),
      receipt: v.nullable(receiptSchema),
    }),
  ),
});

/** `rollcall reopen --json` */
export const reopenDocumentSchema = v.object({
  schemaVersion,
  result: v.literal('reopened'),
  key: described(v.string(), 'of the new session'),
  name: v.string(),
  server: v.object({ socketPath: v.string() }),
  cwd: described(v.string(), 'the folder of its first pane'),
  reopens: described(v.string(), 'key of the session that was closed or lost'),
  receipt: v.nullable(v.string()),
  argv: described(v.nullable(v.array(v.string())), 'what was started; null for a plain shell'),
  line: described(
    v.nullable(v.string()),
    'what a shell runs in its first pane, as one line; null where it runs nothing. What looks like a secret is masked',
  ),
  env: described(v.array(v.string()), 'names of the variables that it has again from its --env'),
  commands: described(
    v.array(v.array(v.string())),
    'what its other panes run again, as tmux was given it; what looks like a secret is masked',
  ),
  conversation: v.nullable(v.string()),
  windows: v.number(),
  panes: v.number(),
  missing: described(v.array(v.string()), 'what is not as it was'),
  putBack: described(
    v.array(v.string()),
    'files of its conversation that its agent had deleted, and that are there again from the copy',
  ),
});

/** `rollcall wake --json` */
export const wakeDocumentSchema = v.object({
  schemaVersion,
  result: described(v.picklist(['woken', 'awake']), '`awake`: nothing slept in it, and nothing was done'),
  key: v.string(),
  name: v.string(),
  receipt: described(v.nullable(v.string()), 'what it was woken from'),
  cwd: v.nullable(v.string()),
  argv: described(v.nullable(v.array(v.string())), 'what was started'),
  env: described(v.array(v.string()), 'names of the variables that it has again from its --env'),
  conversation: v.nullable(v.string()),
  missing: described(v.array(v.string()), 'what is not as it was'),
  putBack: described(
    v.array(v.string()),
    'files of its conversation that its agent had deleted, and that are there again from the copy',
  ),
});

export type CloseDocument = v.InferOutput<typeof closeDocumentSchema>;
export type ReopenDocument = v.InferOutput<typeof reopenDocumentSchema>;
export type WakeDocument = v.InferOutput<typeof wakeDocumentSchema>;
