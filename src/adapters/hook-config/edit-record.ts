import * as v from 'valibot';
import { isOwnScript, scriptOf } from '../../core/agent/hook-command.ts';
import { tryOr } from '../../core/try-or.ts';
import { sha256 } from '../files/digest.ts';
import { type AbsentFile, missingFolders, type UserFile } from '../files/user-file.ts';
import { applyEdits, invertEdits, type TextEdit } from './text-edit.ts';

const texts = v.pipe(v.array(v.string()), v.readonly());
const textEdit = v.object({
  at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  removed: v.string(),
  added: v.string(),
});
const editRecord = v.object({
  wasAbsent: v.boolean(),
  /** Digests of the text without and with our hooks. */
  before: v.string(),
  after: v.string(),
  edits: v.pipe(v.array(textEdit), v.readonly()),
  kept: v.object({ hooks: v.boolean(), events: texts }),
  /** Folders that were made for it, the outermost first. */
  folders: texts,
});

/** What rollcall did to one file, so that it can be undone to the byte. Nothing of the user's is kept in it. */
export type EditRecord = Readonly<v.InferOutput<typeof editRecord>>;

/** What rollcall did to which file, by path. */
export type Records = ReadonlyMap<string, EditRecord>;

/** Reads the records. They only help to put things back exactly: what is damaged is left out. */
export function parseRecords(text: string | null): Records {
  return tryOr(new Map(), () => {
    const value: unknown = JSON.parse(text ?? '{}');
    const files = (value as { files?: unknown } | null)?.files;
    if (typeof files !== 'object' || files === null) return new Map();
    return new Map(
      Object.entries(files).flatMap(([path, record]) => (v.is(editRecord, record) ? [[path, record]] : [])),
    );
  });
}

/** The text of the records; null when there are none, and so no file is needed. */
export function printRecords(records: Records): string | null {
  return records.size === 0
    ? null
    : `${JSON.stringify({ version: 1, files: Object.fromEntries(records) })}\n`;
}

/** The scripts that what was put in calls. */
export function scriptsIn(record: EditRecord | null): string[] {
  const texts = (record?.edits ?? []).flatMap(({ added }) => added.match(/"(?:[^"\\\n]|\\.)*"/g) ?? []);
  return [...new Set(texts.flatMap((text) => scriptOf(tryOr(null, () => JSON.parse(text))) ?? []))];
}

/** Folders that rollcall makes for a file, or has made in a call that was killed before it wrote the file. */
export function madeFolders(file: UserFile | AbsentFile, record: EditRecord | null): string[] {
  const missing = file.state === 'absent' ? missingFolders(file.path) : [];
  return [...new Set([...(record?.folders ?? []), ...missing])];
}

/** The text as it was before, when nobody has changed it since; undefined when somebody has. */
export function undone(text: string, record: EditRecord | null): string | undefined {
  if (record === null || sha256(text) !== record.after) return undefined;
  const before = applyEdits(text, invertEdits(record.edits));
  return sha256(before) === record.before ? before : undefined;
}

/**
 * The text without what was put in, where somebody has changed other places since: what was put in is found again by the
 * script that it names, and the small pieces beside it by their distance. Undefined where something is not found.
 */
export function undoneAround(text: string, record: EditRecord | null): string | undefined {
  const edits = invertEdits(record?.edits ?? []);
  const shifts = shiftsOf(text, edits);
  const found = edits.map((edit, index) => {
    const [next, last] = [shifts.slice(index), shifts.slice(0, index).toReversed()];
    const near = [next, last].map((each) => each.find((shift) => shift !== null));
    const shift = near.find(
      (each) => typeof each === 'number' && text.startsWith(edit.removed, edit.at + each),
    );
    return typeof shift === 'number' ? { ...edit, at: edit.at + shift } : null;
  });
  const places = found.filter((edit) => edit !== null);
  const isInOrder = places.every((edit, index) => edit.at >= endOf(places[index - 1]));
  return places.length > 0 && places.length === edits.length && isInOrder
    ? applyEdits(text, places)
    : undefined;
}

/** How far each piece with our script in it has moved; null for the others, and for what is not there any more. */
function shiftsOf(text: string, edits: readonly TextEdit[]): (number | null)[] {
  let from = 0;
  return edits.map(({ at, removed }) => {
    const place = isOwnScript(removed) ? text.indexOf(removed, from) : -1;
    if (place < 0) return null;
    from = place + removed.length;
    return place - at;
  });
}

function endOf(edit: TextEdit | undefined): number {
  return edit === undefined ? 0 : edit.at + edit.removed.length;
}
