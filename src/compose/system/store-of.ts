import {
  createJsonFile,
  type JsonFileOptions,
  type Loaded,
  type Saved,
} from '../../adapters/state/json-file.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';

/** What is kept: nothing where there is none yet, and a problem in words where it is damaged or could not be saved. */
interface Store<T> {
  load(): { readonly value: T | null; readonly problem?: string };
  save(value: T): string | null;
}

/** A store in one file of the state folder; null where that folder is refused. */
export function storeIn<T>(folder: StateFolder, file: Omit<JsonFileOptions<T>, 'folder'>): Store<T> | null {
  return folder.state === 'refused' ? null : storeOf(createJsonFile({ folder: folder.path, ...file }));
}

export function storeOf<T>(file: { load(): Loaded<T>; save(value: T): Saved }): Store<T> {
  return {
    load() {
      const loaded = file.load();
      if (loaded.state === 'loaded') return { value: loaded.value };
      return { value: null, ...(loaded.state === 'damaged' && { problem: loaded.text }) };
    },
    save(value) {
      const saved = file.save(value);
      return saved.state === 'failed' ? saved.text : null;
    },
  };
}
