import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;

/**
 * Has SQLite close what was closed: a connection stays open until the garbage collector has seen its last statement, and
 * only then its journal is written back and removed. Node.js with an SQLite of its own does that at once.
 */
export async function letGo(type: 'minor' | 'major' = 'minor'): Promise<void> {
  collect({ type });
  await new Promise(setImmediate);
}
