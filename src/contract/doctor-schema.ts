import { z } from 'zod';
import { SEVERITIES } from '../core/doctor/finding.ts';
import { MENDING_RESULTS } from '../core/doctor/mending.ts';
import { problemSchema } from './document-schemas.ts';

const severity = z
  .enum(SEVERITIES)
  .describe('`warning` and `error` make the exit code 1, or 8 where something could not be looked at');

const findingSchema = z.object({
  class: z.string().describe('kebab-case, stable once released; of processes, whose they are'),
  severity,
  text: z.string(),
  fixable: z.boolean().describe('`--fix` has a remedy for it'),
  evidence: z.array(z.string()).describe('what it was concluded from'),
  advice: z.array(z.string()).describe('what `--fix` would do step by step, or what a person can do'),
  pid: z.number().optional(),
  session: z.string().optional().describe('its key'),
  memoryBytes: z.number().optional(),
});

/** `rollcall doctor --json` */
export const doctorDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  host: z.object({ id: z.string().describe('machine id'), bootId: z.string(), name: z.string() }),
  at: z.number().describe('epoch milliseconds'),
  severity: severity.describe('the worst of all checks'),
  checks: z
    .array(
      z.object({
        name: z.string().describe('for `--only`'),
        group: z.enum(['sessions', 'processes', 'machine']),
        looksAt: z.string(),
        severity,
        problem: z.string().nullable().describe('why it could not look; the exit code is 8'),
        unseen: z
          .array(z.string())
          .describe('what it could not look at; where there is any, the exit code is 8'),
        memory: z
          .array(z.object({ class: z.string(), count: z.number(), memoryBytes: z.number() }))
          .describe('what findings of one class hold together, where that is known'),
        findings: z.array(findingSchema),
      }),
    )
    .describe('with `--fix`, as it is afterwards'),
  fixes: z
    .array(
      z.object({
        check: z.string(),
        class: z.string(),
        result: z
          .enum(MENDING_RESULTS)
          .describe('`skipped`: it was not so any more, or not certain, and nothing was touched'),
        text: z.string(),
        finding: z.string().describe('its text'),
        pid: z.number().optional(),
        session: z.string().optional(),
      }),
    )
    .describe('what `--fix` did, or would do with `--dry-run`'),
  problems: z.array(problemSchema).describe('what kept rollcall from seeing everything'),
});

export type DoctorDocument = z.infer<typeof doctorDocumentSchema>;
