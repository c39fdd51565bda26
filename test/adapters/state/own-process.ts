import { OwnProcess } from '../../support/own-process.ts';

/** Scripts find the state adapter's exports as `state`. */
export function prepareState(): Promise<OwnProcess> {
  const sources = ['src/adapters/state/json-file.ts', 'src/adapters/state/state-folder.ts'];
  return OwnProcess.prepare(sources, "import * as state from './module.mjs';");
}
