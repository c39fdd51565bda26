import * as v from 'valibot';
import {
  finite,
  flag,
  list,
  number,
  part,
  type Recorded,
  text,
  textFields,
  texts,
  tolerant,
  whole,
  words,
} from '../../schema/recorded.ts';
import { keptConversation } from '../conversation/kept.ts';
import type { JsonObject } from '../ledger/json.ts';
import { blockerKind, survivor } from './receipt.ts';
import type { Digests } from './seal.ts';

// What entries of the ledger tell of starts and closes, whichever version wrote them.

/** SHA-256 of each file of an archive, by its name; null where none is recorded. */
const digests = v.optional(
  v.pipe(
    textFields,
    v.transform((all): Digests | null => (Object.keys(all).length === 0 ? null : all)),
  ),
  {},
);

const agent = part({ kind: text, conversation: text });
const server = part({ socketPath: text, pid: number, startTicks: number });
const marks = list(whole({ pid: finite, startTicks: finite }));

const started = v.object({
  /** The word of the run. */
  run: text,
  cwd: text,
  argv: words,
  /** Names of what was given with `--env`. */
  env: words,
  /** False where words were cut or masked. */
  isWhole: v.fallback(v.boolean(), true),
  agent,
  server,
  sessionId: text,
  createdAtSeconds: number,
  paneId: text,
  pid: number,
  /** What it was made from again. */
  reopens: text,
  receipt: text,
  remain: flag,
  isAsleep: flag,
  held: part({}),
  digests,
});

/** What started a session, or its agent anew: the intent, what came of it, or both together. */
export type StartedBody = Recorded<v.InferOutput<typeof started>>;

export function readStarted(body: JsonObject): StartedBody {
  return v.parse(started, body);
}

const received = v.object({
  /** Its name. */
  receipt: text,
  result: text,
  session: part({ server: part({ socketPath: text }) }),
  agent,
  archive: text,
  digests,
  resume: words,
  conversations: list(tolerant(keptConversation)),
  survivors: marks,
});

/** What a receipt tells that a session is made from again. */
export type Received = Recorded<v.InferOutput<typeof received>>;

export function readReceived(body: JsonObject): Received {
  return v.parse(received, body);
}

const waived = whole({
  code: v.fallback(v.string(), ''),
  kind: v.fallback(v.optional(blockerKind), undefined),
  text: v.fallback(v.string(), ''),
});

const sleep = whole({
  paneId: v.string(),
  kind: v.fallback(v.string(), ''),
  conversation: text,
  cwd: v.fallback(v.string(), '/'),
  resume: words,
  isPaneKept: flag,
  bytes: number,
  end: v.optional(
    v.pipe(
      part({ run: text, isKept: flag, remain: text }),
      v.transform((end) =>
        end?.run == null ? { remain: end?.remain ?? null } : { run: end.run, isKept: end.isKept },
      ),
    ),
    null,
  ),
});

const closing = v.object({
  /** The name of its archive, and of its receipt. */
  archive: text,
  digests,
  reason: text,
  isForced: flag,
  despite: words,
  waived: list(v.fallback(waived, { code: '', text: '' })),
  server,
  sessionId: v.fallback(v.string(), ''),
  createdAtSeconds: v.fallback(finite, 0),
  /** The panes that are its own, and what may be ended of them. */
  panes: texts,
  processes: list(whole({ ...survivor.entries, paneId: v.string() })),
  sleep: v.fallback(v.nullable(sleep), null),
});

/** What is to be closed or put to sleep: all that somebody else needs to know who finds it cut short. */
export type ClosingBody = Recorded<v.InferOutput<typeof closing>>;

export function readClosing(body: JsonObject): ClosingBody {
  return v.parse(closing, body);
}

/** The processes that the doctor is about to end. */
export function readEnding({ processes }: JsonObject): Received['survivors'] {
  return v.parse(marks, processes);
}

/** An entry of the ledger has its bounds; what is beyond them is only told. */
const MOST_PROCESSES = 500;

/** What a close may end of the panes that are a session's own, recorded before anything is done. */
export function belongingsBody(
  paneIds: readonly string[],
  processes: ClosingBody['processes'],
): Pick<ClosingBody, 'panes' | 'processes'> {
  const named = processes.slice(0, MOST_PROCESSES);
  return {
    panes: paneIds,
    processes: named.map(({ pid, startTicks, program, paneId }) => ({ pid, startTicks, program, paneId })),
  };
}
