import { RECORDS, type RecordKind } from './listing-command.ts';

/** One record of a listing, its fields by format name; a format that this tmux version lacks is empty. */
export type ListedFields<K extends RecordKind> = Readonly<
  Record<keyof (typeof RECORDS)[K]['facts'] | (typeof RECORDS)[K]['texts'][number], string>
>;

/** All records by kind, each kind in the order in which tmux printed it. */
export type ListedRecords = { readonly [K in RecordKind]: readonly ListedFields<K>[] };

/** Takes listings of one server apart; null for what is none. */
export type RecordReader = (output: string, nonce: string) => ListedRecords | null;

/** A pane's record as it was printed. Most panes say the same at every look and are understood once. */
interface Known {
  readonly texts: readonly string[];
  readonly fields: object;
}

/**
 * Makes a reader that takes a listing apart at the nonce, which is random so that no name, title or command can forge a
 * record. A field of the wrong shape, or anything between two records but one line end, means that the answer is not
 * ours. A pane that says what it said in the listing before has the same fields object.
 */
export function createRecordReader(): RecordReader {
  let before: ReadonlyMap<string, Known> = new Map();
  return (output, nonce) => {
    const records: Record<RecordKind, object[]> = { server: [], pane: [], client: [], end: [] };
    const pieces = output.split(nonce);
    if (pieces[0] !== '') return null;
    const panes = new Map<string, Known>();
    for (let at = 1; at < pieces.length; ) {
      const kind = pieces[at] ?? '';
      if (!isKind(kind)) return null;
      const end = at + 2 + RECORDS[kind].texts.length;
      if (pieces[end] !== '\n') return null;
      const facts = pieces[at + 1] ?? '';
      const known =
        (kind === 'pane' && recall(before.get(facts), pieces, at + 2)) ||
        readRecord(kind, pieces.slice(at + 1, end));
      if (!known) return null;
      if (kind === 'pane') panes.set(facts, known);
      records[kind].push(known.fields);
      at = end + 1;
    }
    before = panes;
    return records as unknown as ListedRecords;
  };
}

// One expression for all facts of a record: a thousand panes are read in a few milliseconds also in a fresh process.
const SHAPES = Object.entries(RECORDS).map(([kind, { facts }]): [string, RegExp] => {
  const shapes = Object.values<RegExp>(facts).map((shape) => `(${shape.source})`);
  return [kind, new RegExp(`^${shapes.join(',')}$`)];
});
const SHAPE_OF: ReadonlyMap<string, RegExp> = new Map(SHAPES);

function readRecord(kind: RecordKind, pieces: readonly string[]): Known | null {
  const [facts = '', ...texts] = pieces.map(owned);
  const values = SHAPE_OF.get(kind)?.exec(facts);
  if (!values) return null;
  const fields: Record<string, string> = {};
  let index = 1;
  for (const name in RECORDS[kind].facts) fields[name] = values[index++] ?? '';
  index = 0;
  for (const name of RECORDS[kind].texts) fields[name] = texts[index++] ?? '';
  return { texts, fields };
}

function recall(known: Known | undefined, pieces: readonly string[], from: number): Known | undefined {
  return known?.texts.every((text, index) => text === pieces[from + index]) ? known : undefined;
}

// A part of a string keeps the whole of it in memory, and what is known is kept long.
function owned(text: string): string {
  return Buffer.from(text).toString();
}

function isKind(text: string): text is RecordKind {
  return Object.hasOwn(RECORDS, text);
}
