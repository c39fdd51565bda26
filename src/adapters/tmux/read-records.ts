import { RECORDS, type RecordKind } from './listing-command.ts';

/** One record of a listing, its fields by format name; a format that this tmux version lacks is empty. */
export interface ListedRecord {
  readonly kind: RecordKind;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Takes a listing apart at the nonce, which no name, title or command can contain because it was drawn after they
 * were set. Anything between two records but one line end means that the answer is not ours: null.
 */
export function readRecords(output: string, nonce: string): ListedRecord[] | null {
  const pieces = output.split(nonce);
  if (pieces[0] !== '') return null;
  const records: ListedRecord[] = [];
  for (let at = 1; at < pieces.length; ) {
    const kind = pieces[at];
    if (kind === undefined || !isKind(kind)) return null;
    const { facts, texts } = RECORDS[kind];
    const values = (pieces[at + 1] ?? '').split(',');
    if (values.length !== Math.max(facts.length, 1)) return null;
    const next = at + 2 + texts.length;
    if (pieces[next] !== '\n') return null;
    const fields: Record<string, string> = {};
    facts.forEach((fact, index) => {
      fields[fact] = values[index] ?? '';
    });
    texts.forEach((text, index) => {
      fields[text] = pieces[at + 2 + index] ?? '';
    });
    records.push({ kind, fields });
    at = next + 1;
  }
  return records;
}

function isKind(text: string): text is RecordKind {
  return Object.hasOwn(RECORDS, text);
}
