import type { JsonObject } from '../ledger/json.ts';
import { listIn, numberIn, objectIn, textIn } from '../ledger/json-values.ts';
import type { ClosingPane } from './closing-pane.ts';
import type { Survivor } from './receipt.ts';

/** What belongs to the panes of a session that are its own, by identity. */
export interface RecordedBelongings {
  readonly paneIds: readonly string[];
  readonly processes: readonly (Survivor & { readonly paneId: string })[];
}

/** An entry of the ledger has its bounds; what is beyond them is found by its panes' mark. */
const MOST_PROCESSES = 500;

/** What is recorded before anything is done, so that another process can tell later what was left behind. */
export function belongingsBody(panes: readonly ClosingPane[]): JsonObject {
  const own = panes.filter(({ isShared }) => !isShared);
  const processes = own.flatMap(({ paneId, processes }) =>
    processes.map(({ pid, startTicks, program }) => ({ pid, startTicks, program, paneId })),
  );
  return { panes: own.map(({ paneId }) => paneId), processes: processes.slice(0, MOST_PROCESSES) };
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
