import type { ReadProgress } from '../../operations/read-history.ts';
import type { TerminalOutput } from '../frame/surroundings.ts';

/** Says on a terminal how far it is with the history. */
export function historyProgress(stderr: TerminalOutput, what: string): ReadProgress {
  return (done) => {
    const text = done === null ? '' : `${what}: ${Math.round(100 * done)} %`;
    if (stderr.isTTY) stderr.write(`\r\u001b[K${text}`);
  };
}
