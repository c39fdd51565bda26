import { z } from 'zod';
import { LOSSES, type LostBy } from '../core/lost-by.ts';
import { RESTORE_RESULTS } from '../core/restore/report.ts';
import { problemSchema } from './document-schemas.ts';

const at = z.number().describe('epoch milliseconds');

/** `rollcall restore --json` */
export const restoreDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  at,
  isDryRun: z.boolean(),
  problems: z
    .array(problemSchema)
    .describe('servers of which nobody can tell whether their sessions are lost'),
  sessions: z
    .array(
      z.object({
        key: z.string().describe('of the session that was lost'),
        name: z.string(),
        server: z.object({ socketPath: z.string() }),
        lostBy: z
          .enum(Object.keys(LOSSES) as [LostBy, ...LostBy[]])
          .describe(
            '`restarted`: with a boot of the machine; `ended`, `replaced`: with its server; `missing`: its server lives',
          ),
        lastSeenAt: at,
        result: z
          .enum(RESTORE_RESULTS)
          .describe(
            '`already`: it is there again, somebody else restores it, or it is not lost any more since it was listed; `failed`: it stays lost, and can be tried again',
          ),
        text: z.string().nullable().describe('why it was not restored'),
        hint: z.string().nullable(),
        session: z
          .object({ key: z.string(), name: z.string() })
          .nullable()
          .describe('the new one; null where there is none'),
        agent: z.string().nullable().describe('kind of the agent that is started; null where none is'),
        conversation: z.string().nullable(),
        windows: z.number(),
        panes: z.number(),
        isHeld: z.boolean(),
        isAsleep: z.boolean().describe('its agent sleeps in it, and wakes on Enter'),
        missing: z.array(z.string()).describe('what is not as it was'),
      }),
    )
    .describe('those that were lost; the one that was seen last first'),
});

export type RestoreDocument = z.infer<typeof restoreDocumentSchema>;
