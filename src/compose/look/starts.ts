import { join } from 'node:path';
import { createStartsFolder } from '../../adapters/starts/starts-folder.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';
import type { Starts } from '../../ports/records.ts';

/** How sessions were started; where the state folder is refused, nothing can be kept. */
export function startsIn(folder: StateFolder): Starts {
  if (folder.state === 'ready') return createStartsFolder(join(folder.path, 'starts'));
  const keep = (): never => {
    throw new Error(`${folder.text}; ${folder.hint}`);
  };
  return { keep, of: () => null, all: () => [], drop: () => {} };
}
