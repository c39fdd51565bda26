import type { Skipped } from '../../contract/history-documents.ts';
import type { HistoryRecord } from '../../core/history/record.ts';
import { Failure } from '../../operations/failure.ts';
import type { HistoryReader } from '../../ports/history.ts';
import type { Output, Surroundings } from '../frame/surroundings.ts';

/** Opens what the daemon recorded; a state folder that cannot be used ends the command with the reason. */
export async function openHistory({ history }: Pick<Surroundings, 'history'>): Promise<HistoryReader> {
  try {
    return await history();
  } catch (error) {
    throw unread(error);
  }
}

/** Hands over every record since then, in order; on a terminal it says how far it is. */
export async function eachRecord(
  history: HistoryReader,
  since: number,
  { what, stderr }: { readonly what: string; readonly stderr: Output },
  take: (record: HistoryRecord) => void,
): Promise<Skipped> {
  let [damaged, unknown] = [0, 0];
  const show = (text: string) => stderr.isTTY && stderr.write(`\r\u001b[K${text}`);
  try {
    for await (const { records, part, of, ...skipped } of history.read(since)) {
      show(`${what}: ${Math.round((100 * part) / of)} %`);
      damaged += skipped.damaged;
      unknown += skipped.unknown;
      for (const record of records) take(record);
    }
  } catch (error) {
    throw unread(error);
  } finally {
    show('');
  }
  return { damaged, unknown };
}

function unread(error: unknown): Failure {
  const hint = 'look at the state folder: $XDG_STATE_HOME/rollcall, or ~/.local/state/rollcall';
  return new Failure('failed', `the history could not be read: ${(error as Error).message}`, { hint });
}
