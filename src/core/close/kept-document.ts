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

/**
 * What was kept of a session some time before it went: what ran in it then may have ended long since. It stays so in whatever
 * is made of it. `ownPane`: the one that rollcall started, since the end of its program would have been recorded.
 */
export function asLastSeen(document: KeptDocument, ownPane: string | null): KeptDocument {
  return document.lastSeen == null ? { ...document, lastSeen: { ownPane } } : document;
}

/** Whether what ran in a pane may have ended since it was seen. */
export function isOldIn({ lastSeen }: KeptDocument): (paneId: string) => boolean {
  return (paneId) => lastSeen != null && lastSeen.ownPane !== paneId;
}

/** Whoever writes the document of an archive and whoever reads it keep to the same bound. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** A document as it is written. */
export function documentText(document: KeptDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * The document, without what no session is made again from where it would be too large to be read back: command lines of
 * other processes than agents, then the evidence, then what agents' processes say twice. `cut` names what is left out.
 */
export function boundedDocument(document: KeptDocument, maxBytes = MAX_DOCUMENT_BYTES): KeptDocument {
  let kept = document;
  const cut: string[] = [];
  for (const [what, shorter] of SHORTER) {
    if (new TextEncoder().encode(documentText(kept)).length <= maxBytes) break;
    cut.push(what);
    kept = { ...shorter(kept), cut: [...cut] };
  }
  return kept;
}

const SHORTER: readonly (readonly [what: string, shorter: (document: KeptDocument) => KeptDocument])[] = [
  ['arguments of other processes', (document) => withoutArguments(document, ({ role }) => role !== 'agent')],
  ['evidence', (document) => ({ ...document, evidence: [] })],
  ['arguments of processes', (document) => withoutArguments(document, () => true)],
];

// How an agent was started stands beside its processes, and stays.
function withoutArguments(
  document: KeptDocument,
  isLeftOut: (process: KeptProcess) => boolean,
): KeptDocument {
  const shorter = (whole: KeptProcess): KeptProcess => {
    const { argv: _, ...process } = whole;
    return isLeftOut(process) ? process : whole;
  };
  const panes = document.panes.map((pane) => ({ ...pane, processes: pane.processes.map(shorter) }));
  return { ...document, panes };
}
