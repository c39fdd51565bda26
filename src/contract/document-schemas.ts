import { z } from 'zod';
import { SIGN_SOURCES } from '../core/agent/sign.ts';
import { ACTIVITIES } from '../core/verdict.ts';
import { sessionSchema, sourceSchema } from './session-schema.ts';

const schemaVersion = z.literal(1);
const at = z.number().describe('epoch milliseconds');

export const problemSchema = z.object({
  code: z.string(),
  text: z.string(),
  hint: z.string().nullable().describe('what to do about it'),
  socketPath: z.string().nullable().describe('the tmux server it concerns'),
});

const host = z.object({
  id: z.string().describe('machine id'),
  bootId: z.string(),
  name: z.string(),
});

/** `rollcall --json` */
export const rollDocumentSchema = z.object({
  schemaVersion,
  host,
  at,
  memory: z
    .object({ totalBytes: z.number(), availableBytes: z.number(), source: z.string() })
    .nullable()
    .describe('of the machine, or of the cgroup that bounds it'),
  servers: z
    .array(z.object({ socketPath: z.string(), label: z.string(), version: z.string() }))
    .describe('tmux servers that answered'),
  sessions: z.array(sessionSchema).describe('worst first'),
  problems: z.array(problemSchema).describe('what kept rollcall from seeing everything'),
});

/** `rollcall explain --json` */
export const explainDocumentSchema = z.object({
  schemaVersion,
  host,
  at,
  session: sessionSchema.extend({
    evidence: z
      .array(z.looseObject({ kind: z.string(), source: sourceSchema, observedAt: at }))
      .describe('everything the verdict was made from; beyond these fields it depends on `kind`'),
  }),
  problems: z.array(problemSchema),
});

const written = z.union([z.string(), z.number(), z.array(z.string()), z.array(z.array(z.string()))]);

/** `rollcall config explain --json` */
export const configDocumentSchema = z.object({
  schemaVersion,
  files: z.array(
    z.object({
      path: z.string(),
      via: z.enum(['--config', '$ROLLCALL_CONFIG', 'user', 'project']),
      isPresent: z.boolean(),
    }),
  ),
  settings: z.array(
    z.object({
      key: z.string(),
      kind: z.enum([
        'duration',
        'count',
        'percent',
        'bytes',
        'switch',
        'tier',
        'settle',
        'way',
        'restore',
        'patterns',
        'choice',
        'words',
        'commands',
        'command',
        'url',
        'file',
      ]),
      value: written,
      default: written,
      source: z.string().describe('`default`, or the files that decided it'),
      bounds: z.object({ min: written, max: written }),
      projectMay: z.enum(['raise', 'lower', 'add', 'nothing']),
      means: z.string(),
      why: z.string(),
    }),
  ),
  problems: z.array(problemSchema),
});

/** `rollcall agents --json` */
export const agentsDocumentSchema = z.object({
  schemaVersion,
  installed: z.array(
    z.object({
      kind: z.string(),
      path: z.string(),
      version: z.string().nullable(),
      verified: z
        .object({ from: z.string(), to: z.string() })
        .nullable()
        .describe('the versions rollcall was verified on; null where it knows only the process'),
      isVerified: z.boolean(),
    }),
  ),
  running: z.array(
    z.object({
      key: z.string().describe('of the session'),
      session: z.string(),
      server: z.string(),
      paneId: z.string(),
      kind: z.string(),
      pid: z.number(),
      version: z.string().nullable(),
      conversation: z.string().nullable(),
      activity: z.enum(ACTIVITIES),
      sources: z.array(z.enum(SIGN_SOURCES)).describe('what was heard, strongest first'),
      isVerified: z.boolean().nullable(),
      gaps: z
        .array(z.object({ code: z.string(), text: z.string() }))
        .describe('why less is known than could be'),
    }),
  ),
  problems: z.array(problemSchema),
});

const hookAgent = z.enum(['claude', 'codex', 'gemini', 'opencode']);
const hookScope = z.enum(['user', 'project']).describe('everything the user does, or one repository');

/** `rollcall hooks install --json` and `rollcall hooks remove --json` */
export const hooksChangeDocumentSchema = z.object({
  schemaVersion,
  action: z.enum(['install', 'remove']),
  scope: hookScope,
  isDryRun: z.boolean().describe('nothing was written'),
  agents: z.array(
    z.object({
      agent: hookAgent,
      file: z.string(),
      outcome: z.enum(['installed', 'updated', 'already-installed', 'removed', 'not-installed']),
      events: z.array(z.string()).describe('events that are told to rollcall'),
      notes: z.array(z.string()).describe('what the user should know about it'),
    }),
  ),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['created', 'changed', 'removed']),
      isOwn: z.boolean().describe('wholly made by rollcall'),
      leadsTo: z.string().nullable().describe('the file that is really written, where links lead elsewhere'),
      diff: z.array(z.string()).describe('unified diff, one string per line'),
    }),
  ),
  backups: z.array(z.object({ file: z.string(), backup: z.string() })).describe('files as they were'),
  kept: z
    .array(z.object({ file: z.string(), backup: z.string() }))
    .describe('what somebody else wrote at the same time, and may not stand in the file now'),
});

/** `rollcall hooks status --json` */
export const hooksStatusDocumentSchema = z.object({
  schemaVersion,
  hooks: z.array(
    z.object({
      agent: hookAgent,
      scope: hookScope,
      file: z.string(),
      state: z.enum(['installed', 'partly', 'outdated', 'script-missing', 'not-installed', 'unreadable']),
      events: z.array(z.string()).describe('events that are told to rollcall'),
      missing: z.array(z.string()).describe('events that should be'),
      isSwitchedOff: z.boolean().describe('the agent’s own settings keep it from running hooks'),
      review: z
        .enum(['reviewed', 'changed', 'unreviewed'])
        .nullable()
        .describe('what the agent has on record where it asks its user to review hooks; null elsewhere'),
      lastHeardAt: at.nullable(),
      notes: z.array(z.string()),
      backups: z.array(z.string()).describe('the file as it was before each change, the first one first'),
      kept: z
        .array(z.string())
        .describe(
          'what somebody wrote while rollcall did, and may not stand in the file: for the user to look at',
        ),
      oldBackups: z.array(z.string()).describe('copies that an earlier version left beside the file'),
    }),
  ),
});

/** `rollcall version --json` */
export const versionDocumentSchema = z.object({ schemaVersion, version: z.string() });

/** What any command prints under `--json` when it fails. */
export const errorDocumentSchema = z.object({
  schemaVersion,
  error: z.object({
    code: z.string().describe('kebab-case name of the exit code'),
    exitCode: z.number(),
    message: z.string(),
    hint: z.string().nullable(),
    details: z.array(z.string()).optional().describe('further findings, one per line'),
    candidates: z
      .array(z.object({ key: z.string(), name: z.string(), sessionId: z.string(), server: z.string() }))
      .optional()
      .describe('the sessions that a word may mean, or that come near it'),
  }),
});

export type ProblemObject = z.infer<typeof problemSchema>;
export type RollDocument = z.infer<typeof rollDocumentSchema>;
export type ExplainDocument = z.infer<typeof explainDocumentSchema>;
export type ConfigDocument = z.infer<typeof configDocumentSchema>;
export type AgentsDocument = z.infer<typeof agentsDocumentSchema>;
export type HooksChangeDocument = z.infer<typeof hooksChangeDocumentSchema>;
export type HooksStatusDocument = z.infer<typeof hooksStatusDocumentSchema>;
export type VersionDocument = z.infer<typeof versionDocumentSchema>;
export type ErrorDocument = z.infer<typeof errorDocumentSchema>;
