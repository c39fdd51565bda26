import { z } from 'zod';
import { ENTRY_KINDS } from '../core/ledger/entry.ts';

const schemaVersion = z.literal(1);
const at = z.number().describe('epoch milliseconds');

export const entrySchema = z.object({
  sequence: z.number().describe('from 1, without gaps'),
  at,
  host: z.string().describe('machine id'),
  bootId: z.string(),
  actor: z.object({ kind: z.string().describe('cli, daemon, hook, …'), pid: z.number(), user: z.string() }),
  kind: z.enum(ENTRY_KINDS),
  action: z.string().describe('run, close, hold, …'),
  session: z
    .object({
      key: z.string().nullable().describe('null before the session was started'),
      name: z.string(),
    })
    .nullable(),
  cause: z.number().nullable().describe('the intent that an outcome or a receipt belongs to'),
  body: z.looseObject({}).describe('depends on `kind` and `action`'),
  previous: z.string().describe('hash of the entry before'),
  hash: z.string().describe('SHA-256 over everything above'),
});

export const damageSchema = z.object({
  reason: z.enum([
    'changed',
    'missing',
    'reordered',
    'duplicated',
    'cut-off',
    'unreadable',
    'database-missing',
    'anchor-missing',
    'anchor-unreadable',
  ]),
  sequence: z.number().describe('the first entry that cannot be relied on'),
  text: z.string(),
});

/** `rollcall log --json` */
export const logDocumentSchema = z.object({
  schemaVersion,
  entries: z.array(entrySchema).describe('the newest last; only those that can be relied on'),
  damage: damageSchema.nullable().describe('why there may be more'),
});

/** Each line of `rollcall log --follow --json` */
export const logLineSchema = z.object({ schemaVersion, entry: entrySchema });

/** `rollcall verify --json` */
export const verifyDocumentSchema = z.object({
  schemaVersion,
  state: z.enum(['empty', 'intact', 'damaged']),
  path: z.string().describe('the database'),
  entries: z.number().describe('entries that can be relied on'),
  firstAt: at.nullable(),
  lastAt: at.nullable(),
  head: z.object({ sequence: z.number(), hash: z.string() }).describe('the last entry that can be relied on'),
  anchoredTo: z.number().nullable().describe('the loss of any entry up to this one is noticed'),
  openIntents: z.array(z.number()).describe('intents without an outcome'),
  damage: damageSchema.nullable(),
  repairs: z
    .array(
      z.object({
        at,
        sequence: z.number().describe('the last entry that was kept'),
        left: z.string().describe('file name of the database that was left'),
        text: z.string(),
      }),
    )
    .describe('earlier damages that were repaired'),
  archives: z
    .object({
      compared: z.number().describe('archives that were compared with the digests in their receipts'),
      gone: z.number().describe('archives that somebody removed'),
      unsealed: z.number().describe('receipts of versions that recorded no digest'),
      changed: z.array(z.object({ receipt: z.string(), text: z.string() })),
    })
    .describe('what was kept of closed sessions'),
  repaired: z
    .object({ leftPath: z.string(), path: z.string(), kept: z.number(), damage: damageSchema })
    .nullable()
    .describe('what `--repair` did'),
});

export type LogDocument = z.infer<typeof logDocumentSchema>;
export type LogLine = z.infer<typeof logLineSchema>;
export type VerifyDocument = z.infer<typeof verifyDocumentSchema>;
