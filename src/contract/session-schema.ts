import * as v from 'valibot';
import { blockerKind } from '../core/close/receipt.ts';
import { ACTIVITIES, LIFECYCLES, SOURCES, WAITING_FOR } from '../core/verdict/verdict.ts';
import { described } from '../schema/described.ts';
import { at } from './schema-parts.ts';

const code = described(v.string(), 'kebab-case, stable once released');
const activity = described(v.picklist(ACTIVITIES), 'what it is doing now');
const waitingFor = described(v.nullable(v.picklist(WAITING_FOR)), 'whom or what it waits for, when it waits');

export const sourceSchema = v.picklist(SOURCES);

export const paneSchema = v.object({
  paneId: described(v.string(), '`%id` of tmux, unique on its server'),
  windowIndex: v.number(),
  paneIndex: v.number(),
  isActive: v.boolean(),
  pid: v.number(),
  program: v.nullable(v.string()),
  activity,
  waitingFor,
  title: v.string(),
  cwd: v.nullable(v.string()),
  isDead: v.boolean(),
  exitStatus: v.nullable(v.number()),
  exitSignal: v.nullable(v.string()),
});

export const sessionSchema = v.object({
  key: described(v.string(), 'identity of the session in one word; never derived from its name'),
  name: v.string(),
  sessionId: described(v.string(), '`$id` of tmux, unique on its server'),
  server: v.object({
    socketPath: v.string(),
    label: described(v.string(), 'last part of the socket path, as `tmux -L` takes it'),
    pid: v.number(),
    version: v.nullable(v.string()),
  }),
  host: described(v.string(), 'id of the host, as in the document’s `host`'),
  createdAt: at,
  agent: v.nullable(
    v.object({
      kind: v.string(),
      version: v.nullable(v.string()),
      conversation: v.nullable(v.string()),
      pid: described(v.nullable(v.number()), 'null once the agent has exited'),
    }),
  ),
  activity,
  waitingFor,
  lifecycle: described(v.picklist(LIFECYCLES), 'what a supervisor may do with it'),
  since: at,
  reasons: described(
    v.array(v.object({ code, source: sourceSchema, observedAt: at, text: v.string() })),
    'the decisive one first',
  ),
  blockers: described(
    v.array(v.object({ code, kind: blockerKind, text: v.string() })),
    'what prevents closing',
  ),
  protections: described(
    v.array(v.object({ code, text: v.string() })),
    'what keeps it from being closed whatever the proof says',
  ),
  checks: described(
    v.array(
      v.object({ code, kind: blockerKind, state: v.picklist(['met', 'unmet', 'unknown']), text: v.string() }),
    ),
    'the closing checklist; `unknown` blocks just as `unmet` does',
  ),
  role: v.nullable(v.string()),
  task: v.nullable(v.string()),
  owner: v.nullable(v.string()),
  attached: described(v.number(), 'clients attached, through the session’s group too'),
  memoryBytes: v.nullable(v.number()),
  retainedUntil: v.nullable(at),
  panes: v.array(paneSchema),
  ended: described(
    v.nullable(
      v.object({
        exitStatus: v.nullable(v.number()),
        exitSignal: v.nullable(v.string()),
        endedAt: at,
        lines: described(v.array(v.string()), 'what it showed last; secrets are masked'),
      }),
    ),
    'how its program ended, of a session that is gone and was started by rollcall',
  ),
  receipt: described(v.nullable(v.string()), 'of a closed session: what it is reopened from'),
});

export type PaneObject = v.InferOutput<typeof paneSchema>;
export type SessionObject = v.InferOutput<typeof sessionSchema>;
