import * as v from 'valibot';
import { MENDING_RESULTS, SEVERITIES } from '../core/doctor/finding.ts';
import { described } from '../schema/described.ts';
import { problemSchema } from './document-schemas.ts';
import { at, documentOf, host } from './schema-parts.ts';

const severity = described(
  v.picklist(SEVERITIES),
  '`warning` and `error` make the exit code 1, or 8 where something could not be looked at',
);

const findingSchema = v.object({
  class: described(v.string(), 'kebab-case, stable once released; of processes, whose they are'),
  severity,
  text: v.string(),
  fixable: described(v.boolean(), '`--fix` has a remedy for it'),
  evidence: described(v.array(v.string()), 'what it was concluded from'),
  advice: described(v.array(v.string()), 'what `--fix` would do step by step, or what a person can do'),
  pid: v.optional(v.number()),
  session: described(v.optional(v.string()), 'its key'),
  memoryBytes: v.optional(v.number()),
});

/** `rollcall doctor --json` */
export const doctorDocumentSchema = documentOf({
  host,
  at,
  severity: described(severity, 'the worst of all checks'),
  checks: described(
    v.array(
      v.object({
        name: described(v.string(), 'for `--only`'),
        group: v.picklist(['sessions', 'processes', 'machine']),
        looksAt: v.string(),
        severity,
        problem: described(v.nullable(v.string()), 'why it could not look; the exit code is 8'),
        unseen: described(
          v.array(v.string()),
          'what it could not look at; where there is any, the exit code is 8',
        ),
        memory: described(
          v.array(v.object({ class: v.string(), count: v.number(), memoryBytes: v.number() })),
          'what findings of one class hold together, where that is known',
        ),
        findings: v.array(findingSchema),
      }),
    ),
    'with `--fix`, as it is afterwards',
  ),
  fixes: described(
    v.array(
      v.object({
        check: v.string(),
        class: v.string(),
        result: described(
          v.picklist(MENDING_RESULTS),
          '`skipped`: it was not so any more, or not certain, and nothing was touched',
        ),
        text: v.string(),
        finding: described(v.string(), 'its text'),
        pid: v.optional(v.number()),
        session: v.optional(v.string()),
      }),
    ),
    'what `--fix` did, or would do with `--dry-run`',
  ),
  problems: described(v.array(problemSchema), 'what kept rollcall from seeing everything'),
});

export type DoctorDocument = v.InferOutput<typeof doctorDocumentSchema>;
