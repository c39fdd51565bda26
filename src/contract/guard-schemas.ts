import * as v from 'valibot';
import { SUGGESTED_ACTIONS } from '../core/guard/advice.ts';
import { CAUSES } from '../core/guard/judge-guarded.ts';
import { FATES } from '../core/guard/pane-fate.ts';
import { ACTIVITIES, LIFECYCLES } from '../core/verdict/verdict.ts';
import { described } from '../schema/described.ts';
import { at, documentOf } from './schema-parts.ts';

const guardedSession = v.object({
  key: described(v.string(), 'empty where nobody saw the session of a pane that is gone'),
  name: described(v.string(), 'as it was last seen; the pane’s id where nobody saw its session'),
  sessionId: v.string(),
  server: v.object({ socketPath: v.string(), label: v.string(), pid: v.number() }),
});

const guardedPane = v.object({
  id: v.string(),
  pid: described(v.number(), '0 where nobody saw its program'),
  state: described(
    v.picklist(FATES),
    '`ended` is a proven exit status 0, `died` any other end; `closed` when the pane is gone',
  ),
  process: described(
    v.picklist(['alive', 'dead', 'unknown']),
    'the kernel’s word; a process may outlive its pane',
  ),
  exitStatus: described(v.nullable(v.number()), 'null where it ended by a signal, or nobody can tell'),
  exitSignal: v.nullable(v.string()),
  screen: described(v.array(v.string()), 'the last lines as they were last seen'),
  screenAt: v.nullable(at),
});

/** The file that `rollcall guard --sentinel` writes. */
export const sentinelSchema = documentOf({
  reason_category: v.literal('infra_failure'),
  recoverable: described(v.boolean(), 'whether the suggested action can mend it'),
  suggested_action: v.picklist(SUGGESTED_ACTIONS),
  cause: v.picklist(CAUSES),
  why: v.string(),
  observedAt: at,
  session: guardedSession,
  panes: v.array(guardedPane),
});

/** `rollcall guard --json` */
export const guardDocumentSchema = documentOf({
  outcome: v.picklist(['healthy', 'ended', 'died']),
  why: v.nullable(v.string()),
  observedAt: at,
  watchedMs: v.number(),
  session: guardedSession,
  panes: v.array(guardedPane),
  notes: described(
    v.array(v.object({ code: v.string(), paneId: v.nullable(v.string()), text: v.string() })),
    'what happened and was no death',
  ),
  failure: described(v.nullable(v.omit(sentinelSchema, ['schemaVersion'])), 'what the sentinel holds'),
  sentinel: described(
    v.nullable(v.object({ path: v.string(), isWritten: v.boolean(), problem: v.nullable(v.string()) })),
    'null without --sentinel, and when nothing died',
  ),
});

/** `rollcall wait --json` */
export const waitDocumentSchema = documentOf({
  at,
  sessions: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      server: described(v.string(), 'label of its tmux server'),
      activity: described(v.picklist(ACTIVITIES), 'as it was last seen'),
      lifecycle: described(v.picklist(LIFECYCLES), 'as it was last seen'),
      reached: v.nullable(v.union([v.picklist(ACTIVITIES), v.picklist(LIFECYCLES)])),
      reachedAt: v.nullable(at),
      isGone: v.boolean(),
      lastSeenAt: at,
    }),
  ),
});

export type SentinelDocument = v.InferOutput<typeof sentinelSchema>;
export type GuardDocument = v.InferOutput<typeof guardDocumentSchema>;
export type WaitDocument = v.InferOutput<typeof waitDocumentSchema>;
