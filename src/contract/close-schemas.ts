import * as v from 'valibot';
import { FATES } from '../core/close/listing.ts';
import { blockerKind, receiptSchema, rungName, rungSchema } from '../core/close/receipt.ts';
import { CLOSE_RESULTS } from '../core/close/report.ts';
import { described } from '../schema/described.ts';
import { at, documentOf } from './schema-parts.ts';

export { receiptSchema };

const noted = v.object({ code: v.string(), text: v.string() });
const blocked = v.object({ code: v.string(), kind: blockerKind, text: v.string() });

/** `rollcall close --json` */
export const closeDocumentSchema = documentOf({
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
export const reopenDocumentSchema = documentOf({
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
export const wakeDocumentSchema = documentOf({
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
