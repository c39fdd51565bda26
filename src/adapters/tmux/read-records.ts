import { RECORDS, type RecordKind } from './listing-command.ts';

/** One record of a listing, its fields by format name; a format that this tmux version lacks is empty. */
export type ListedFields<K extends RecordKind> = Readonly<
  Record<keyof (typeof RECORDS)[K]['facts'] | (typeof RECORDS)[K]['texts'][number], string>
>;

/** All records by kind, each kind in the order in which tmux printed it. */
export type ListedRecords = { readonly [K in RecordKind]: readonly ListedFields<K>[] };

/**
 * Takes a listing apart at the nonce, which is random so that no name, title or command can forge a record. A field
 * of the wrong shape, or anything between two records but one line end, means that the answer is not ours: null.
 */
export function readRecords(output: string, nonce: string): ListedRecords | null {
  const records: Record<RecordKind, object[]> = { server: [], pane: [], client: [], end: [] };
  const pieces = output.split(nonce);
  if (pieces[0] !== '') return null;
  for (let at = 1; at < pieces.length; ) {
    const kind = pieces[at] ?? '';
    if (!isKind(kind)) return null;
    const end = at + 2 + RECORDS[kind].texts.length;
    if (pieces[end] !== '\n') return null;
    const fields = readFields(kind, pieces.slice(at + 1, end));
    if (fields === null) return null;
    records[kind].push(fields);
    at = end + 1;
  }
  return records as unknown as ListedRecords;
}

// One expression for all facts of a record: a thousand panes are read in a few milliseconds also in a fresh process.
const SHAPES = Object.entries(RECORDS).map(([kind, { facts }]): [string, RegExp] => {
  const shapes = Object.values<RegExp>(facts).map((shape) => `(${shape.source})`);
  return [kind, new RegExp(`^${shapes.join(',')}$`)];
});
const SHAPE_OF: ReadonlyMap<string, RegExp> = new Map(SHAPES);

function readFields(kind: RecordKind, [facts = '', ...texts]: readonly string[]): object | null {
  const values = SHAPE_OF.get(kind)?.exec(facts);
  if (!values) return null;
  const fields: Record<string, string> = {};
  let index = 1;
  for (const name in RECORDS[kind].facts) fields[name] = values[index++] ?? '';
  index = 0;
  for (const name of RECORDS[kind].texts) fields[name] = texts[index++] ?? '';
  return fields;
}

function isKind(text: string): text is RecordKind {
  return Object.hasOwn(RECORDS, text);
}
