import * as v from 'valibot';
import * as recorded from '../../schema/recorded.ts';

// What is absent stays absent, and what is not known here stays as it is: the document is written again with what was changed.
const text = v.optional(recorded.text);
const number = v.optional(recorded.number);
const words = v.optional(recorded.words);
const flag = v.optional(recorded.flag);
const list = <const S extends v.GenericSchema>(item: S) => v.optional(recorded.list(item), []);
const part = <const E extends v.ObjectEntries>(entries: E) =>
  v.optional(v.fallback(v.nullable(recorded.loose(entries)), null));

const process = recorded.loose({
  pid: number,
  startTicks: number,
  program: text,
  command: text,
  role: text,
  relation: text,
  argv: words,
  isKeeper: flag,
  kept: v.optional(v.unknown()),
});

const agent = part({
  kind: text,
  conversation: text,
  transcript: text,
  /** What brings back its conversation alone. */
  resume: words,
  /** How somebody started it. */
  argv: words,
  cwd: text,
  path: text,
  env: v.optional(recorded.textFields),
});

const pane = recorded.loose({
  paneId: text,
  pid: number,
  cwd: text,
  isActive: flag,
  isDead: flag,
  activity: text,
  processes: list(process),
  agent,
});

const shownPane = recorded.loose({
  paneId: text,
  isActive: flag,
  cwd: text,
  /** Null where it was too long to be kept; absent where an earlier version kept none. */
  command: v.optional(v.fallback(v.nullable(v.array(v.string())), [])),
});

const keptDocument = recorded.loose({
  session: part({
    key: text,
    name: text,
    server: part({ socketPath: text, pid: number, startTicks: number }),
  }),
  agent: part({ kind: text, conversation: text }),
  windows: list(
    recorded.loose({ index: number, name: text, layout: text, isActive: flag, panes: list(shownPane) }),
  ),
  panes: list(pane),
  git: list(recorded.loose({ state: text, root: text, branch: text, repository: text })),
  verdict: part({}),
  evidence: v.optional(recorded.list(recorded.loose({}))),
  /** What ran in it may have ended since it was seen, but for what rollcall started in `ownPane`. */
  lastSeen: part({ ownPane: text }),
});

/** All that is kept of a session but what its panes show: in an archive, or as it was last seen. */
export type KeptDocument = recorded.Recorded<v.InferOutput<typeof keptDocument>>;
export type KeptPane = KeptDocument['panes'][number];
export type KeptAgent = NonNullable<KeptPane['agent']>;
export type KeptProcess = KeptPane['processes'][number];
export type KeptWindow = KeptDocument['windows'][number];
export type ShownPane = KeptWindow['panes'][number];

/** Reads one, whichever version wrote it. */
export function readKept(value: object): KeptDocument {
  return v.parse(keptDocument, value);
}

/** What is known where nothing was kept. */
export const NOTHING_KEPT = readKept({});
