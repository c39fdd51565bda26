import type { EditRecord } from './edit-record.ts';
import { isEditRecord } from './edit-record.ts';

/** What rollcall did to which file, by path. */
export type Records = ReadonlyMap<string, EditRecord>;

/** Reads the records. They only help to put things back exactly: what is damaged is left out. */
export function parseRecords(text: string | null): Records {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    const files = (value as { files?: unknown } | null)?.files;
    if (typeof files !== 'object' || files === null) return new Map();
    return new Map(
      Object.entries(files).flatMap(([path, record]) => (isEditRecord(record) ? [[path, record]] : [])),
    );
  } catch {
    return new Map();
  }
}

/** The text of the records; null when there are none, and so no file is needed. */
export function printRecords(records: Records): string | null {
  return records.size === 0
    ? null
    : `${JSON.stringify({ version: 1, files: Object.fromEntries(records) })}\n`;
}
