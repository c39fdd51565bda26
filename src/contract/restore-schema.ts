import * as v from 'valibot';
import { LOSSES, type LostBy } from '../core/memory/lost-by.ts';
import { RESTORE_RESULTS } from '../core/restore/report.ts';
import { described } from '../schema/described.ts';
import { problemSchema } from './document-schemas.ts';
import { at, documentOf, named } from './schema-parts.ts';

/** `rollcall restore --json` */
export const restoreDocumentSchema = documentOf({
  at,
  isDryRun: v.boolean(),
  problems: described(
    v.array(problemSchema),
    'servers of which nobody can tell whether their sessions are lost',
  ),
  sessions: described(
    v.array(
      v.object({
        key: described(v.string(), 'of the session that was lost'),
        name: v.string(),
        server: v.object({ socketPath: v.string() }),
        lostBy: described(
          v.picklist(Object.keys(LOSSES) as [LostBy, ...LostBy[]]),
          '`restarted`: with a boot of the machine; `ended`, `replaced`: with its server; `missing`: its server lives',
        ),
        lastSeenAt: at,
        result: described(
          v.picklist(RESTORE_RESULTS),
          '`already`: it is there again, somebody else restores it, or it is not lost any more since it was listed; `failed`: it stays lost, and can be tried again',
        ),
        text: described(v.nullable(v.string()), 'why it was not restored'),
        hint: v.nullable(v.string()),
        session: described(v.nullable(named), 'the new one; null where there is none'),
        agent: described(v.nullable(v.string()), 'kind of the agent that is started; null where none is'),
        conversation: v.nullable(v.string()),
        windows: v.number(),
        panes: v.number(),
        isHeld: v.boolean(),
        isAsleep: described(v.boolean(), 'its agent sleeps in it, and wakes on Enter'),
        missing: described(v.array(v.string()), 'what is not as it was'),
      }),
    ),
    'those that were lost; the one that was seen last first',
  ),
});

export type RestoreDocument = v.InferOutput<typeof restoreDocumentSchema>;
