import { createRecollectionFile } from '../adapters/state/recollection-file.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import { isRecollection } from '../core/recollection.ts';
import type { RecollectionStore } from '../ports/recollection-store.ts';
import { storeOf } from './store-of.ts';

/** The memory of the looks. */
export function recollectionsIn(folder: StateFolder): RecollectionStore {
  if (folder.state === 'refused') {
    const problem = `${folder.text} (${folder.hint})`;
    return { load: () => ({ value: null, problem }), save: () => null };
  }
  const file = createRecollectionFile({ folder: folder.path, isValid: isRecollection });
  return storeOf(file);
}
