import { z } from 'zod';
import { ACTIVITIES, BLOCKER_KINDS, LIFECYCLES, WAITING_FOR } from '../core/verdict.ts';

const at = z.number().describe('epoch milliseconds');
const code = z.string().describe('kebab-case, stable once released');
const activity = z.enum(ACTIVITIES).describe('what it is doing now');
const waitingFor = z.enum(WAITING_FOR).nullable().describe('whom or what it waits for, when it waits');

export const blockerKind = z
  .enum(BLOCKER_KINDS)
  .describe(
    '`would-lose`: closing would or may lose something, which holds up everybody; `unfinished`: nothing is lost, and only automatic closing is held up',
  );

export const sourceSchema = z.enum([
  'tmux',
  'process',
  'screen',
  'people',
  'git',
  'agent',
  'hook',
  'transcript',
  'title',
  'history',
  'declared',
  'host',
]);

export const paneSchema = z.object({
  paneId: z.string().describe('`%id` of tmux, unique on its server'),
  windowIndex: z.number(),
  paneIndex: z.number(),
  isActive: z.boolean(),
  pid: z.number(),
  program: z.string().nullable(),
  activity,
  waitingFor,
  title: z.string(),
  cwd: z.string().nullable(),
  isDead: z.boolean(),
  exitStatus: z.number().nullable(),
  exitSignal: z.string().nullable(),
});

export const sessionSchema = z.object({
  key: z.string().describe('identity of the session in one word; never derived from its name'),
  name: z.string(),
  sessionId: z.string().describe('`$id` of tmux, unique on its server'),
  server: z.object({
    socketPath: z.string(),
    label: z.string().describe('last part of the socket path, as `tmux -L` takes it'),
    pid: z.number(),
    version: z.string().nullable(),
  }),
  host: z.string().describe('id of the host, as in the document’s `host`'),
  createdAt: at,
  agent: z
    .object({
      kind: z.string(),
      version: z.string().nullable(),
      conversation: z.string().nullable(),
      pid: z.number().nullable().describe('null once the agent has exited'),
    })
    .nullable(),
  activity,
  waitingFor,
  lifecycle: z.enum(LIFECYCLES).describe('what a supervisor may do with it'),
  since: at,
  reasons: z
    .array(z.object({ code, source: sourceSchema, observedAt: at, text: z.string() }))
    .describe('the decisive one first'),
  blockers: z
    .array(z.object({ code, kind: blockerKind, text: z.string() }))
    .describe('what stands against closing'),
  protections: z
    .array(z.object({ code, text: z.string() }))
    .describe('what keeps it from being closed whatever the proof says'),
  checks: z
    .array(
      z.object({ code, kind: blockerKind, state: z.enum(['met', 'unmet', 'unknown']), text: z.string() }),
    )
    .describe('the closing checklist; `unknown` blocks just as `unmet` does'),
  role: z.string().nullable(),
  task: z.string().nullable(),
  owner: z.string().nullable(),
  attached: z.number().describe('clients attached, through the session’s group too'),
  memoryBytes: z.number().nullable(),
  retainedUntil: at.nullable(),
  panes: z.array(paneSchema),
  ended: z
    .object({
      exitStatus: z.number().nullable(),
      exitSignal: z.string().nullable(),
      endedAt: at,
      lines: z.array(z.string()).describe('what it showed last; secrets are masked'),
    })
    .nullable()
    .describe('how its program ended, of a session that is gone and was started by rollcall'),
  receipt: z.string().nullable().describe('of a closed session: what it is reopened from'),
});

export type PaneObject = z.infer<typeof paneSchema>;
export type SessionObject = z.infer<typeof sessionSchema>;
