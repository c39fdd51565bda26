import { z } from 'zod';
import { sessionSchema } from './session-schema.ts';

/** What a command did to a session; `already-…` and `not-…`: there was nothing to do. */
const ACTED_RESULTS = [
  'started',
  'adopted',
  'claimed',
  'already-adopted',
  'held',
  'already-held',
  'unheld',
  'not-held',
  'retained',
  'already-retained',
  'released',
  'not-retained',
  'completed',
  'already-completed',
  'cancelled',
  'not-completed',
] as const;

/** `rollcall run`, `adopt`, `hold`, `unhold`, `retain` and `complete`, each with `--json`: the session object. */
export const actedDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  result: z
    .enum(ACTED_RESULTS)
    .describe('what was done; `already-…` and `not-…` say that there was nothing to do'),
  ...sessionSchema.shape,
});

export type ActedDocument = z.infer<typeof actedDocumentSchema>;
