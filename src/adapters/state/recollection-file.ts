import { createJsonFile, type JsonFile } from './json-file.ts';

export interface RecollectionFileOptions<T> {
  readonly folder: string;
  readonly isValid: (value: unknown) => value is T;
}

/** About 1 KiB for each of some thousand panes, and room to spare. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What one-shot commands remember of earlier observations. Losing it costs a confirm window, never a wrong proof. */
export function createRecollectionFile<T>({ folder, isValid }: RecollectionFileOptions<T>): JsonFile<T> {
  return createJsonFile({ folder, name: 'recollection.json', maxBytes: MAX_BYTES, isValid });
}
