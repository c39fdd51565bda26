import type { KeptDocument } from './kept-document.ts';

/**
 * What was kept of a session some time before it went: what ran in it then may have ended long since. It stays so in whatever
 * is made of it. `ownPane`: the one that rollcall started, since the end of its program would have been recorded.
 */
export function asLastSeen(document: KeptDocument, ownPane: string | null): KeptDocument {
  return document.lastSeen == null ? { ...document, lastSeen: { ownPane } } : document;
}

/** Whether what ran in a pane may have ended since it was seen. */
export function isOldIn({ lastSeen }: KeptDocument): (paneId: string) => boolean {
  return (paneId) => lastSeen != null && lastSeen.ownPane !== paneId;
}
