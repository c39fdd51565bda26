import { z } from 'zod';
import { SUGGESTED_ACTIONS } from '../core/guard/advice.ts';
import { CAUSES } from '../core/guard/judge-guarded.ts';
import { FATES } from '../core/guard/pane-fate.ts';
import { ACTIVITIES, LIFECYCLES } from '../core/verdict.ts';

const schemaVersion = z.literal(1);
const at = z.number().describe('epoch milliseconds');

const guardedSession = z.object({
  key: z.string().describe('empty where nobody saw the session of a pane that is gone'),
  name: z.string().describe('as it was last seen; the pane’s id where nobody saw its session'),
  sessionId: z.string(),
  server: z.object({ socketPath: z.string(), label: z.string(), pid: z.number() }),
});

const guardedPane = z.object({
  id: z.string(),
  pid: z.number().describe('0 where nobody saw its program'),
  state: z
    .enum(FATES)
    .describe('`ended` is a proven exit status 0, `died` any other end; `closed` when the pane is gone'),
  process: z.enum(['alive', 'dead', 'unknown']).describe('the kernel’s word; a process may outlive its pane'),
  exitStatus: z.number().nullable().describe('null where it ended by a signal, or nobody can tell'),
  exitSignal: z.string().nullable(),
  screen: z.array(z.string()).describe('the last lines as they were last seen'),
  screenAt: at.nullable(),
});

/** The file that `rollcall guard --sentinel` writes. */
export const sentinelSchema = z.object({
  schemaVersion,
  reason_category: z.literal('infra_failure'),
  recoverable: z.boolean().describe('whether the suggested action can mend it'),
  suggested_action: z.enum(SUGGESTED_ACTIONS),
  cause: z.enum(CAUSES),
  why: z.string(),
  observedAt: at,
  session: guardedSession,
  panes: z.array(guardedPane),
});

/** `rollcall guard --json` */
export const guardDocumentSchema = z.object({
  schemaVersion,
  outcome: z.enum(['healthy', 'ended', 'died']),
  why: z.string().nullable(),
  observedAt: at,
  watchedMs: z.number(),
  session: guardedSession,
  panes: z.array(guardedPane),
  notes: z
    .array(z.object({ code: z.string(), paneId: z.string().nullable(), text: z.string() }))
    .describe('what happened and was no death'),
  failure: sentinelSchema.omit({ schemaVersion: true }).nullable().describe('what the sentinel holds'),
  sentinel: z
    .object({ path: z.string(), isWritten: z.boolean(), problem: z.string().nullable() })
    .nullable()
    .describe('null without --sentinel, and when nothing died'),
});

/** `rollcall wait --json` */
export const waitDocumentSchema = z.object({
  schemaVersion,
  at,
  sessions: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      server: z.string().describe('label of its tmux server'),
      activity: z.enum(ACTIVITIES).describe('as it was last seen'),
      lifecycle: z.enum(LIFECYCLES).describe('as it was last seen'),
      reached: z.union([z.enum(ACTIVITIES), z.enum(LIFECYCLES)]).nullable(),
      reachedAt: at.nullable(),
      isGone: z.boolean(),
      lastSeenAt: at,
    }),
  ),
});

export type SentinelDocument = z.infer<typeof sentinelSchema>;
export type GuardDocument = z.infer<typeof guardDocumentSchema>;
export type WaitDocument = z.infer<typeof waitDocumentSchema>;
