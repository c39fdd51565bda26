import * as v from 'valibot';
import { SIGN_SOURCES } from '../core/agent/sign.ts';
import { ACTIVITIES } from '../core/verdict/verdict.ts';
import { described } from '../schema/described.ts';
import { at, documentOf, host } from './schema-parts.ts';
import { sessionSchema, sourceSchema } from './session-schema.ts';

export const problemSchema = v.object({
  code: v.string(),
  text: v.string(),
  hint: described(v.nullable(v.string()), 'what to do about it'),
  socketPath: described(v.nullable(v.string()), 'the tmux server it concerns'),
});

/** `rollcall --json` */
export const rollDocumentSchema = documentOf({
  host,
  at,
  memory: described(
    v.nullable(v.object({ totalBytes: v.number(), availableBytes: v.number(), source: v.string() })),
    'of the machine, or of the cgroup that bounds it',
  ),
  servers: described(
    v.array(v.object({ socketPath: v.string(), label: v.string(), version: v.string() })),
    'tmux servers that answered',
  ),
  sessions: described(v.array(sessionSchema), 'worst first'),
  problems: described(v.array(problemSchema), 'what kept rollcall from seeing everything'),
});

/** `rollcall explain --json` */
export const explainDocumentSchema = documentOf({
  host,
  at,
  session: v.object({
    ...sessionSchema.entries,
    evidence: described(
      v.array(v.looseObject({ kind: v.string(), source: sourceSchema, observedAt: at })),
      'everything the verdict was made from; beyond these fields it depends on `kind`',
    ),
  }),
  problems: v.array(problemSchema),
});

const written = v.union([v.string(), v.number(), v.array(v.string()), v.array(v.array(v.string()))]);

/** `rollcall config explain --json` */
export const configDocumentSchema = documentOf({
  files: v.array(
    v.object({
      path: v.string(),
      via: v.picklist(['--config', '$ROLLCALL_CONFIG', 'user', 'project']),
      isPresent: v.boolean(),
    }),
  ),
  settings: v.array(
    v.object({
      key: v.string(),
      kind: v.picklist([
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
      source: described(v.string(), '`default`, or the files that decided it'),
      bounds: v.object({ min: written, max: written }),
      choices: v.optional(described(v.array(v.string()), 'all values there are, where these are words')),
      projectMay: v.picklist(['raise', 'lower', 'add', 'nothing']),
      means: v.string(),
      why: v.string(),
    }),
  ),
  problems: v.array(problemSchema),
});

/** `rollcall agents --json` */
export const agentsDocumentSchema = documentOf({
  installed: v.array(
    v.object({
      kind: v.string(),
      path: v.string(),
      version: v.nullable(v.string()),
      verified: described(
        v.nullable(v.object({ from: v.string(), to: v.string() })),
        'the versions rollcall was verified on; null where it knows only the process',
      ),
      isVerified: v.boolean(),
    }),
  ),
  running: v.array(
    v.object({
      key: described(v.string(), 'of the session'),
      session: v.string(),
      server: v.string(),
      paneId: v.string(),
      kind: v.string(),
      pid: v.number(),
      version: v.nullable(v.string()),
      conversation: v.nullable(v.string()),
      activity: v.picklist(ACTIVITIES),
      sources: described(v.array(v.picklist(SIGN_SOURCES)), 'what was heard, strongest first'),
      isVerified: v.nullable(v.boolean()),
      gaps: described(
        v.array(v.object({ code: v.string(), text: v.string() })),
        'why less is known than could be',
      ),
    }),
  ),
  problems: v.array(problemSchema),
});

const hookAgent = v.picklist(['claude', 'codex', 'gemini', 'opencode']);
const hookScope = described(v.picklist(['user', 'project']), 'everything the user does, or one repository');

/** `rollcall hooks install --json` and `rollcall hooks remove --json` */
export const hooksChangeDocumentSchema = documentOf({
  action: v.picklist(['install', 'remove']),
  scope: hookScope,
  isDryRun: described(v.boolean(), 'nothing was written'),
  agents: v.array(
    v.object({
      agent: hookAgent,
      file: v.string(),
      outcome: v.picklist(['installed', 'updated', 'already-installed', 'removed', 'not-installed']),
      events: described(v.array(v.string()), 'events that are told to rollcall'),
      notes: described(v.array(v.string()), 'what the user should know about it'),
    }),
  ),
  files: v.array(
    v.object({
      path: v.string(),
      change: v.picklist(['created', 'changed', 'removed']),
      isOwn: described(v.boolean(), 'wholly made by rollcall'),
      leadsTo: described(
        v.nullable(v.string()),
        'the file that is really written, where links lead elsewhere',
      ),
      diff: described(v.array(v.string()), 'unified diff, one string per line'),
    }),
  ),
  backups: described(v.array(v.object({ file: v.string(), backup: v.string() })), 'files as they were'),
  kept: described(
    v.array(v.object({ file: v.string(), backup: v.string() })),
    'what somebody else wrote at the same time, and may not stand in the file now',
  ),
});

/** `rollcall hooks status --json` */
export const hooksStatusDocumentSchema = documentOf({
  hooks: v.array(
    v.object({
      agent: hookAgent,
      scope: hookScope,
      file: v.string(),
      state: v.picklist(['installed', 'partly', 'outdated', 'script-missing', 'not-installed', 'unreadable']),
      events: described(v.array(v.string()), 'events that are told to rollcall'),
      missing: described(v.array(v.string()), 'events that should be'),
      isSwitchedOff: described(v.boolean(), 'the agent’s own settings keep it from running hooks'),
      review: described(
        v.nullable(v.picklist(['reviewed', 'changed', 'unreviewed'])),
        'what the agent has on record where it asks its user to review hooks; null elsewhere',
      ),
      lastHeardAt: v.nullable(at),
      notes: v.array(v.string()),
      backups: described(v.array(v.string()), 'the file as it was before each change, the first one first'),
      kept: described(
        v.array(v.string()),
        'what somebody wrote while rollcall did, and may not stand in the file: for the user to look at',
      ),
      oldBackups: described(v.array(v.string()), 'copies that an earlier version left beside the file'),
    }),
  ),
});

/** `rollcall version --json` */
export const versionDocumentSchema = documentOf({ version: v.string() });

export const candidatesSchema = described(
  v.optional(
    v.array(v.object({ key: v.string(), name: v.string(), sessionId: v.string(), server: v.string() })),
  ),
  'the sessions that a word may mean, or that come near it',
);

/** What any command prints under `--json` when it fails. */
export const errorDocumentSchema = documentOf({
  error: v.object({
    code: described(v.string(), 'kebab-case name of the exit code'),
    exitCode: v.number(),
    message: v.string(),
    hint: v.nullable(v.string()),
    details: described(v.optional(v.array(v.string())), 'further findings, one per line'),
    candidates: candidatesSchema,
  }),
});

export type ProblemObject = v.InferOutput<typeof problemSchema>;
export type RollDocument = v.InferOutput<typeof rollDocumentSchema>;
export type ExplainDocument = v.InferOutput<typeof explainDocumentSchema>;
export type ConfigDocument = v.InferOutput<typeof configDocumentSchema>;
export type AgentsDocument = v.InferOutput<typeof agentsDocumentSchema>;
export type HooksChangeDocument = v.InferOutput<typeof hooksChangeDocumentSchema>;
export type HooksStatusDocument = v.InferOutput<typeof hooksStatusDocumentSchema>;
export type VersionDocument = v.InferOutput<typeof versionDocumentSchema>;
export type ErrorDocument = v.InferOutput<typeof errorDocumentSchema>;
