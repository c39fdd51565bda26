import type { JsonObject } from '../ledger/json.ts';
import type { Survivor } from './receipt.ts';

/** What a close may end of the panes that are a session's own, by identity. */
export interface RecordedBelongings {
  readonly paneIds: readonly string[];
  readonly processes: readonly (Survivor & { readonly paneId: string })[];
}

/** An entry of the ledger has its bounds; what is beyond them is only told. */
const MOST_PROCESSES = 500;

/** What is recorded before anything is done, so that another process can tell later what was left behind. */
export function belongingsBody({ paneIds, processes }: RecordedBelongings): JsonObject {
  return {
    panes: paneIds,
    processes: processes
      .slice(0, MOST_PROCESSES)
      .map(({ pid, startTicks, program, paneId }) => ({ pid, startTicks, program, paneId })),
  };
}
