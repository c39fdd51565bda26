import type { HistoryRecord } from '../../../src/core/history/record.ts';
import type { HistoryReader } from '../../../src/ports/history.ts';

/** A history that holds these records, in one part. */
export function historyOf(records: readonly HistoryRecord[], skipped = { damaged: 0, unknown: 0 }) {
  const reader: HistoryReader = {
    async *read() {
      yield { records, ...skipped, part: 1, of: 1 };
    },
  };
  return async () => reader;
}
