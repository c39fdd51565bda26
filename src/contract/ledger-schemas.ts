import * as v from 'valibot';
import { ENTRY_KINDS } from '../core/ledger/entry.ts';
import { DAMAGE_REASONS } from '../core/ledger/verify-chain.ts';
import { described } from '../schema/described.ts';
import { at, documentOf } from './schema-parts.ts';

export const entrySchema = v.object({
  sequence: described(v.number(), 'from 1, without gaps'),
  at,
  host: described(v.string(), 'machine id'),
  bootId: v.string(),
  actor: v.object({ kind: described(v.string(), 'cli, daemon, hook, …'), pid: v.number(), user: v.string() }),
  kind: v.picklist(ENTRY_KINDS),
  action: described(v.string(), 'run, close, hold, …'),
  session: v.nullable(
    v.object({
      key: described(v.nullable(v.string()), 'null before the session was started'),
      name: v.string(),
    }),
  ),
  cause: described(v.nullable(v.number()), 'the intent that an outcome or a receipt belongs to'),
  body: described(v.looseObject({}), 'depends on `kind` and `action`'),
  previous: described(v.string(), 'hash of the entry before'),
  hash: described(v.string(), 'SHA-256 over everything above'),
});

export const damageSchema = v.object({
  reason: v.picklist(DAMAGE_REASONS),
  sequence: described(v.number(), 'the first entry that cannot be relied on'),
  text: v.string(),
});

const head = described(
  v.object({ sequence: v.number(), hash: v.string() }),
  'the last entry that can be relied on',
);

/** `rollcall log --json`, `GET /v1/ledger` */
export const logDocumentSchema = documentOf({
  entries: described(v.array(entrySchema), 'the newest last; only those that can be relied on'),
  // `rollcall log --json` of 0.1.0 had neither.
  next: v.optional(
    described(v.nullable(v.number()), '`after` of the next page; null where this is the last one'),
  ),
  head: v.optional(head),
  damage: described(v.nullable(damageSchema), 'why there may be more'),
});

/** Each line of `rollcall log --follow --json` */
export const logLineSchema = documentOf({ entry: entrySchema });

/** `rollcall verify --json` */
export const verifyDocumentSchema = documentOf({
  state: v.picklist(['empty', 'intact', 'damaged']),
  path: described(v.string(), 'the database'),
  entries: described(v.number(), 'entries that can be relied on'),
  firstAt: v.nullable(at),
  lastAt: v.nullable(at),
  head,
  anchoredTo: described(v.nullable(v.number()), 'the loss of any entry up to this one is noticed'),
  openIntents: described(v.array(v.number()), 'intents without an outcome'),
  damage: v.nullable(damageSchema),
  repairs: described(
    v.array(
      v.object({
        at,
        sequence: described(v.number(), 'the last entry that was kept'),
        left: described(v.string(), 'file name of the database that was left'),
        text: v.string(),
      }),
    ),
    'earlier damages that were repaired',
  ),
  archives: described(
    v.object({
      compared: described(v.number(), 'archives that were compared with the digests in their receipts'),
      gone: described(v.number(), 'archives that somebody removed'),
      unsealed: described(v.number(), 'receipts of versions that recorded no digest'),
      changed: v.array(v.object({ receipt: v.string(), text: v.string() })),
    }),
    'what was kept of closed sessions',
  ),
  repaired: described(
    v.nullable(v.object({ leftPath: v.string(), path: v.string(), kept: v.number(), damage: damageSchema })),
    'what `--repair` did',
  ),
});

export type LogDocument = v.InferOutput<typeof logDocumentSchema>;
export type LogLine = v.InferOutput<typeof logLineSchema>;
export type VerifyDocument = v.InferOutput<typeof verifyDocumentSchema>;
