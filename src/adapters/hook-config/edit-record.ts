import type { Kept } from './edit-hooks.ts';
import type { TextEdit } from './text-edit.ts';
import { applyEdits, digestOf, invertEdits } from './text-edit.ts';

/** What rollcall did to one file, so that it can be undone to the byte. Nothing of the user's is kept in it. */
export interface EditRecord {
  readonly wasAbsent: boolean;
  /** Digests of the text without and with our hooks. */
  readonly before: string;
  readonly after: string;
  readonly edits: readonly TextEdit[];
  readonly kept: Kept;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

/** The text as it was before, when nobody has changed it since; undefined when somebody has. */
export function undone(text: string, record: EditRecord | null): string | undefined {
  if (record === null || digestOf(text) !== record.after) return undefined;
  const before = applyEdits(text, invertEdits(record.edits));
  return digestOf(before) === record.before ? before : undefined;
}

/** Whether something that was read from a file is a record. */
export function isEditRecord(value: unknown): value is EditRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { wasAbsent, before, after, edits, kept, folders } = value as Partial<
    Record<keyof EditRecord, unknown>
  >;
  return (
    typeof wasAbsent === 'boolean' &&
    typeof before === 'string' &&
    typeof after === 'string' &&
    Array.isArray(edits) &&
    edits.every(isTextEdit) &&
    isKept(kept) &&
    isTexts(folders)
  );
}

function isTextEdit(value: unknown): value is TextEdit {
  if (typeof value !== 'object' || value === null) return false;
  const { at, removed, added } = value as Partial<Record<keyof TextEdit, unknown>>;
  return (
    Number.isSafeInteger(at) && Number(at) >= 0 && typeof removed === 'string' && typeof added === 'string'
  );
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const { hooks, events } = value as Partial<Record<keyof Kept, unknown>>;
  return typeof hooks === 'boolean' && isTexts(events);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
