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
  const records: Record<RecordKind, object[]> = { session: [], server: [], pane: [], client: [], end: [] };
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

function readFields(kind: RecordKind, [facts = '', ...texts]: readonly string[]): object | null {
  const shapes = Object.entries<RegExp>(RECORDS[kind].facts);
  const values = facts.split(',');
  if (values.length !== Math.max(shapes.length, 1)) return null;
  const fields: Record<string, string> = {};
  for (const [index, [name, shape]] of shapes.entries()) {
    const value = values[index] ?? '';
    if (!shape.test(value)) return null;
    fields[name] = value;
  }
  for (const [index, name] of RECORDS[kind].texts.entries()) fields[name] = texts[index] ?? '';
  return fields;
}

function isKind(text: string): text is RecordKind {
  return Object.hasOwn(RECORDS, text);
}
