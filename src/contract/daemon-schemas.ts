import * as v from 'valibot';
import { REAP_MODES } from '../core/reaper/standing.ts';
import { SETTLE_MODES } from '../core/settle/standing.ts';
import { described } from '../schema/described.ts';
import { at, documentOf } from './schema-parts.ts';

/** How to reach the daemon, if one runs. */
export const daemonSchema = v.object({
  running: v.boolean(),
  pid: v.nullable(v.number()),
  url: v.nullable(v.string()),
  socket: v.nullable(v.string()),
  tokenFile: v.nullable(v.string()),
  since: v.nullable(at),
});

/** Whether a running daemon does its work. */
export const daemonAnswerSchema = v.object({
  state: described(
    v.picklist(['answers', 'stopped', 'silent', 'late']),
    '`stopped`: its process is; `silent`: no answer in time; `late`: it answers, and makes no rounds',
  ),
  since: described(v.nullable(at), 'its last round that is known of; null while it answers'),
  text: v.string(),
  hint: v.nullable(v.string()),
});

/** A line of `rollcall events --json` about the daemon itself. */
export const daemonLineSchema = documentOf({
  kind: v.literal('daemon'),
  at,
  answering: described(v.boolean(), 'false where the stream fell silent, true where it goes on'),
  since: described(at, 'when it was last heard'),
  text: v.string(),
  hint: v.nullable(v.string()),
});

/** How a running daemon does. */
export const supervisionSchema = v.object({
  at: described(at, 'when the daemon wrote this, every few seconds'),
  rounds: v.number(),
  nextAt: described(at, 'when the next round comes if nothing calls for it earlier'),
  roundMs: described(v.number(), 'what the last round took'),
  roundCpuMs: described(v.number(), 'what it cost in CPU time'),
  missedHints: described(v.number(), 'changes that no hint had announced'),
  reaper: v.object({
    mode: v.picklist(REAP_MODES),
    wanted: described(
      v.picklist(REAP_MODES),
      'another one than `mode` where a tripped breaker holds it down',
    ),
    pending: described(
      v.nullable(v.object({ name: v.string(), dueAt: at })),
      'chosen, and given time to object',
    ),
    breaker: described(v.nullable(v.string()), 'why the reaper fell back to shadow'),
  }),
  settle: described(
    v.nullable(v.picklist(SETTLE_MODES)),
    'what it does with sessions that are due; null where it does not tell',
  ),
});

/** `rollcall up --json` */
export const upDocumentSchema = documentOf({
  result: v.picklist(['started', 'already-running', 'installed', 'uninstalled']),
  daemon: daemonSchema,
  problems: described(v.array(v.string()), 'what the daemon has to do without'),
  service: v.nullable(
    v.object({
      path: v.string(),
      missed: described(v.array(v.array(v.string())), 'commands that could not be run here'),
    }),
  ),
});

/** `rollcall down --json` */
export const downDocumentSchema = documentOf({
  result: v.picklist(['stopped', 'not-running']),
  pid: v.nullable(v.number()),
});

/** `rollcall api --json` */
export const apiDocumentSchema = documentOf({
  daemon: v.object({ pid: v.number(), socket: v.string() }),
  calls: v.array(
    v.object({
      route: v.string(),
      method: v.picklist(['GET', 'POST']),
      path: described(v.string(), 'parts in braces stand for one word each'),
      summary: v.string(),
      argv: described(v.array(v.string()), 'a call through the socket; there is no token in it'),
    }),
  ),
});

export type ApiDocument = v.InferOutput<typeof apiDocumentSchema>;
export type DaemonLine = v.InferOutput<typeof daemonLineSchema>;
export type UpDocument = v.InferOutput<typeof upDocumentSchema>;
export type DownDocument = v.InferOutput<typeof downDocumentSchema>;
export type DaemonObject = v.InferOutput<typeof daemonSchema>;
export type SupervisionObject = v.InferOutput<typeof supervisionSchema>;
