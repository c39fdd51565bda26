import type { JsonObject } from '../ledger/json.ts';
import { listIn, numberIn, objectIn, textIn } from '../ledger/json-values.ts';
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

/** The same as it was recorded; whatever is not understood is left out. */
export function belongingsIn(body: JsonObject): RecordedBelongings {
  return {
    paneIds: listIn(body.panes).flatMap((paneId) => textIn(paneId) ?? []),
    processes: listIn(body.processes).flatMap((value) => {
      const one = objectIn(value);
      const [pid, startTicks] = [numberIn(one?.pid), numberIn(one?.startTicks)];
      const [program, paneId] = [textIn(one?.program), textIn(one?.paneId)];
      if (pid === null || startTicks === null || program === null || paneId === null) return [];
      return [{ pid, startTicks, program, paneId }];
    }),
  };
}
