import { createJsonFile, type JsonFile } from './json-file.ts';

export interface RecollectionFileOptions<T> {
  readonly folder: string;
  readonly isValid: (value: unknown) => value is T;
  /** For one of several machines that share the folder, by its word. */
  readonly machine?: string | undefined;
}

/** About 1 KiB for each of some thousand panes, and room to spare. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What one-shot commands remember of earlier observations. Losing it costs a confirm window, never a wrong proof. */
export function createRecollectionFile<T>({
  folder,
  isValid,
  machine,
}: RecollectionFileOptions<T>): JsonFile<T> {
  const name = machine === undefined ? 'recollection.json' : `recollection-${machine}.json`;
  return createJsonFile({ folder, name, maxBytes: MAX_BYTES, isValid });
}
