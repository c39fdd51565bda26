import { join } from 'node:path';
import { createLayoutsFolder } from '../../adapters/layouts/layouts-folder.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';
import type { Layouts } from '../../ports/records.ts';
import { NOWHERE, refuse } from './ends.ts';

/** How sessions were last seen; where the state folder is refused, nothing can be kept. Apart from the rest: no look loads it. */
export function layoutsIn(folder: StateFolder): Layouts {
  if (folder.state === 'ready') return createLayoutsFolder(join(folder.path, 'layouts'));
  return { ...NOWHERE, keep: () => refuse(folder), of: () => ({ state: 'absent' }) };
}
