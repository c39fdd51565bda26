import { join } from 'node:path';
import { createLayoutsFolder } from '../../adapters/layouts/layouts-folder.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';
import type { Layouts } from '../../ports/records.ts';

/** How sessions were last seen; where the state folder is refused, nothing can be kept. */
export function layoutsIn(folder: StateFolder): Layouts {
  if (folder.state === 'ready') return createLayoutsFolder(join(folder.path, 'layouts'));
  const keep = (): never => {
    throw new Error(`${folder.text}; ${folder.hint}`);
  };
  return { keep, of: () => ({ state: 'absent' }), all: () => [], drop: () => {} };
}
