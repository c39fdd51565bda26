import type { Loaded, Saved } from '../../adapters/state/json-file.ts';

/** What is kept in one file of the state folder: nothing where there is none yet, and a problem in words where it is damaged. */
export function storeOf<T>(file: { load(): Loaded<T>; save(value: T): Saved }): {
  load(): { readonly value: T | null; readonly problem?: string };
  save(value: T): string | null;
} {
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
