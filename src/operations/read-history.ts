import type { Skipped } from '../contract/history-documents.ts';
import type { HistoryRecord } from '../core/history/record.ts';
import type { HistoryReader } from '../ports/history.ts';
import type { At } from './at.ts';
import { Failure } from './failure.ts';

/** Told how much is read, from 0 to 1; null at the end. */
export type ReadProgress = (done: number | null) => void;

/** Opens what the daemon recorded; a state folder that cannot be used ends it with the reason. */
export async function openHistory({ history }: Pick<At, 'history'>): Promise<HistoryReader> {
  try {
    return await history();
  } catch (error) {
    throw unread(error);
  }
}

/** Hands over every record since then, in order. */
export async function eachRecord(
  history: HistoryReader,
  since: number,
  take: (record: HistoryRecord) => void,
  onPart: ReadProgress = () => {},
): Promise<Skipped> {
  let [damaged, unknown] = [0, 0];
  try {
    for await (const { records, part, of, ...skipped } of history.read(since)) {
      onPart(part / of);
      damaged += skipped.damaged;
      unknown += skipped.unknown;
      for (const record of records) take(record);
    }
  } catch (error) {
    throw unread(error);
  } finally {
    onPart(null);
  }
  return { damaged, unknown };
}

function unread(error: unknown): Failure {
  const hint = 'look at the state folder: $XDG_STATE_HOME/rollcall, or ~/.local/state/rollcall';
  return new Failure('failed', `the history could not be read: ${(error as Error).message}`, { hint });
}
