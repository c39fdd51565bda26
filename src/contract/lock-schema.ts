import * as v from 'valibot';
import { described } from '../schema/described.ts';
import { at, documentOf } from './schema-parts.ts';

const mark = {
  pid: v.number(),
  startTicks: described(v.number(), 'start mark: tells it from a later process'),
};

/** `rollcall lock status --json` */
export const lockStatusDocumentSchema = documentOf({
  at,
  locks: v.array(
    v.object({
      name: v.string(),
      project: described(v.nullable(v.string()), 'canonical root; null for locks of the whole account'),
      file: v.string(),
      state: v.picklist(['held', 'free']),
      isStale: described(v.boolean(), 'the lock is free, and `holder` only tells who had it last'),
      holder: described(
        v.nullable(
          v.object({
            ...mark,
            bootId: v.string(),
            since: at,
            task: v.nullable(v.string()),
            argv: v.array(v.string()),
            life: described(v.picklist(['alive', 'gone', 'unknown']), 'of the taker or the runner'),
            runner: v.nullable(v.object(mark)),
          }),
        ),
        'what the holder wrote about itself; information, not the lock',
      ),
      heldBy: described(
        v.nullable(
          v.array(
            v.object({
              pid: v.number(),
              program: v.string(),
              argv: v.array(v.string()),
              startedAt: at,
              part: described(
                v.picklist(['taker', 'runner', 'descendant', 'self']),
                '`descendant` merely inherited it; `self` is the process that answers',
              ),
            }),
          ),
        ),
        'processes that have the locked file open; null where the system does not tell',
      ),
    }),
  ),
});

export type LockStatusDocument = v.InferOutput<typeof lockStatusDocumentSchema>;
