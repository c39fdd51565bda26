import type { JsonObject } from '../ledger/json.ts';
import { objectIn, textIn } from '../ledger/json-values.ts';

/**
 * What was kept of a session some time before it went: what ran in it then may have ended long since. It stays so in whatever
 * is made of it. `ownPane`: the one that rollcall started, since the end of its program would have been recorded.
 */
export function asLastSeen(document: JsonObject, ownPane: string | null): JsonObject {
  return objectIn(document.lastSeen) === null ? { ...document, lastSeen: { ownPane } } : document;
}

/** Whether what ran in a pane may have ended since it was seen. */
export function isOldIn(document: JsonObject): (paneId: string) => boolean {
  const lastSeen = objectIn(document.lastSeen);
  return (paneId) => lastSeen !== null && textIn(lastSeen.ownPane) !== paneId;
}
