import { z } from 'zod';
import { REAP_MODES } from '../core/reaper/mode.ts';
import { SETTLE_MODES } from '../core/settle/mode.ts';

const at = z.number().describe('epoch milliseconds');

/** How to reach the daemon, if one runs. */
export const daemonSchema = z.object({
  running: z.boolean(),
  pid: z.number().nullable(),
  url: z.string().nullable(),
  socket: z.string().nullable(),
  tokenFile: z.string().nullable(),
  since: at.nullable(),
});

/** Whether a running daemon does its work. */
export const daemonAnswerSchema = z.object({
  state: z
    .enum(['answers', 'stopped', 'silent', 'late'])
    .describe(
      '`stopped`: its process is; `silent`: no answer in time; `late`: it answers, and makes no rounds',
    ),
  since: at.nullable().describe('its last round that is known of; null while it answers'),
  text: z.string(),
  hint: z.string().nullable(),
});

/** A line of `rollcall events --json` about the daemon itself. */
export const daemonLineSchema = z.object({
  schemaVersion: z.literal(1),
  kind: z.literal('daemon'),
  at,
  answering: z.boolean().describe('false where the stream fell silent, true where it goes on'),
  since: at.describe('when it was last heard'),
  text: z.string(),
  hint: z.string().nullable(),
});

/** How a running daemon does. */
export const supervisionSchema = z.object({
  at: at.describe('when the daemon wrote this, every few seconds'),
  rounds: z.number(),
  nextAt: at.describe('when the next round comes if nothing calls for it earlier'),
  roundMs: z.number().describe('what the last round took'),
  roundCpuMs: z.number().describe('what it cost in CPU time'),
  missedHints: z.number().describe('changes that no hint had announced'),
  reaper: z.object({
    mode: z.enum(REAP_MODES),
    wanted: z.enum(REAP_MODES).describe('another one than `mode` where a tripped breaker holds it down'),
    pending: z
      .object({ name: z.string(), dueAt: at })
      .nullable()
      .describe('chosen, and given time to object'),
    breaker: z.string().nullable().describe('why the reaper fell back to shadow'),
  }),
  settle: z
    .enum(SETTLE_MODES)
    .nullable()
    .describe('what it does with sessions that are due; null where it does not tell'),
});

/** `rollcall up --json` */
export const upDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  result: z.enum(['started', 'already-running', 'installed', 'uninstalled']),
  daemon: daemonSchema,
  problems: z.array(z.string()).describe('what the daemon has to do without'),
  service: z
    .object({
      path: z.string(),
      missed: z.array(z.array(z.string())).describe('commands that could not be run here'),
    })
    .nullable(),
});

/** `rollcall down --json` */
export const downDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  result: z.enum(['stopped', 'not-running']),
  pid: z.number().nullable(),
});

/** `rollcall api --json` */
export const apiDocumentSchema = z.object({
  schemaVersion: z.literal(1),
  daemon: z.object({ pid: z.number(), socket: z.string() }),
  calls: z.array(
    z.object({
      route: z.string(),
      method: z.enum(['GET', 'POST']),
      path: z.string().describe('parts in braces stand for one word each'),
      summary: z.string(),
      argv: z.array(z.string()).describe('a call through the socket; there is no token in it'),
    }),
  ),
});

export type ApiDocument = z.infer<typeof apiDocumentSchema>;
export type DaemonLine = z.infer<typeof daemonLineSchema>;
export type UpDocument = z.infer<typeof upDocumentSchema>;
export type DownDocument = z.infer<typeof downDocumentSchema>;
export type DaemonObject = z.infer<typeof daemonSchema>;
export type SupervisionObject = z.infer<typeof supervisionSchema>;
