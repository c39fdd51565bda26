import { z } from 'zod';

const at = z.number().describe('epoch milliseconds');
const mark = {
  pid: z.number(),
  startTicks: z.number().describe('start mark: tells it from a later process'),
};

/** `rollcall lock status --json` */
export const lockStatusDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  at,
  locks: z.array(
    z.object({
      name: z.string(),
      project: z.string().nullable().describe('canonical root; null for locks of the whole account'),
      file: z.string(),
      state: z.enum(['held', 'free']),
      isStale: z.boolean().describe('the lock is free, and `holder` only tells who had it last'),
      holder: z
        .object({
          ...mark,
          bootId: z.string(),
          since: at,
          task: z.string().nullable(),
          argv: z.array(z.string()),
          life: z.enum(['alive', 'gone', 'unknown']).describe('of the taker or the runner'),
          runner: z.object(mark).nullable(),
        })
        .nullable()
        .describe('what the holder wrote about itself; information, not the lock'),
      heldBy: z
        .array(
          z.object({
            pid: z.number(),
            program: z.string(),
            argv: z.array(z.string()),
            startedAt: at,
            part: z
              .enum(['taker', 'runner', 'descendant', 'self'])
              .describe('`descendant` merely inherited it; `self` is the process that answers'),
          }),
        )
        .nullable()
        .describe('processes that have the locked file open; null where the system does not tell'),
    }),
  ),
});

export type LockStatusDocument = z.infer<typeof lockStatusDocumentSchema>;
