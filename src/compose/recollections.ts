import { createRecollectionFile } from '../adapters/state/recollection-file.ts';
import type { StateFolder } from '../adapters/state/state-folder.ts';
import { bootWords, type HostIdentity } from '../core/identity.ts';
import { isElsewhere, isRecollection } from '../core/recollection.ts';
import type { RecollectionStore } from '../ports/recollection-store.ts';
import { storeOf } from './store-of.ts';

/**
 * The memory of the looks. Machines that share the state folder have a file each: the first has the plain one, and nobody
 * writes over what another machine remembers.
 */
export function recollectionsIn(folder: StateFolder, identity: () => HostIdentity): RecollectionStore {
  if (folder.state === 'refused') {
    const problem = `${folder.text} (${folder.hint})`;
    return { load: () => ({ value: null, problem }), save: () => null };
  }
  const storeFor = (machine?: string) => {
    const file = createRecollectionFile({ folder: folder.path, isValid: isRecollection, machine });
    const store = storeOf(file);
    return { ...store, news: () => (file.isChanged() ? store.load().value : null) };
  };
  const shared = storeFor();
  let own = shared;
  return {
    load() {
      const found = shared.load();
      const host = identity();
      if (found.value === null || !isElsewhere(found.value, host)) return found;
      own = storeFor(bootWords(host).machine);
      return own.load();
    },
    news: () => own.news(),
    save: (value) => own.save(value),
  };
}
