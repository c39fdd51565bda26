import * as v from 'valibot';
import { described } from '../schema/described.ts';
import { documentOf } from './schema-parts.ts';
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
export const actedDocumentSchema = documentOf({
  result: described(
    v.picklist(ACTED_RESULTS),
    'what was done; `already-…` and `not-…` say that there was nothing to do',
  ),
  note: described(v.optional(v.string()), 'what else whoever asked should know'),
  ...sessionSchema.entries,
});

export type ActedDocument = v.InferOutput<typeof actedDocumentSchema>;
