import { AT_WORK } from '../../core/memory/shell-input.ts';
import { hasLaterTurn, signsIn, topAgents } from '../../core/memory/spoken-for.ts';
import type { SpokenPane } from '../../core/memory/spoken-pane.ts';
import type { PaneEntry, SessionEntry } from '../../core/sight/roll.ts';
import type { Evidence, ProcessNote } from '../../core/verdict/evidence.ts';

/**
 * Whom a completion speaks for that is said now: an agent for the pane that it is in, everybody else for every pane with what
 * is in it.
 */
export function spokenPanes(entry: SessionEntry, fromPane: string | null, at: number): SpokenPane[] {
  const isAgents = fromPane !== null && topAgents(notesIn(entry.evidence, fromPane)).length > 0;
  const meant = entry.panes.filter(({ paneId }) => !isAgents || paneId === fromPane);
  return meant.map((pane) => spokenPane(pane, entry, pane.paneId === fromPane, at));
}

function spokenPane(
  { paneId, pid, activity }: PaneEntry,
  { evidence }: SessionEntry,
  isFromInside: boolean,
  at: number,
): SpokenPane {
  const notes = notesIn(evidence, paneId);
  const agents = topAgents(notes).map(({ pid, startTicks }) => ({ pid, startTicks }));
  const conversation = pieceOf('agent', evidence, paneId)?.conversation;
  const glance = pieceOf('history', evidence, paneId)?.input;
  // From inside the shell runs once more to come back from this very command: only reads can tell.
  const input = glance && isFromInside ? { ...glance, turns: AT_WORK } : glance;
  const startTicks = notes.find((note) => note.relation === 'root')?.startTicks ?? 0;
  return {
    ...{ paneId, at, pid, startTicks, agents },
    ...(conversation !== undefined && { conversation }),
    // From inside it is said in a turn, which goes on until its end.
    ...(!isFromInside && activity === 'idle' && { isAtRest: true as const }),
    ...(input && { input }),
  };
}

/** Whether the same was said of the same before, and nothing has ended it since. */
export function isStillSaid(
  now: SpokenPane,
  known: readonly SpokenPane[],
  { evidence }: Pick<SessionEntry, 'evidence'>,
): boolean {
  const before = known.find(({ paneId }) => paneId === now.paneId);
  if (before === undefined || whoIn(before) !== whoIn(now)) return false;
  const history = pieceOf('history', evidence, now.paneId);
  const restedAt = history?.restedAt ?? (before.isAtRest ? before.at : undefined);
  const signs = signsIn(evidence, now.paneId);
  return history?.used === undefined && !hasLaterTurn(signs, { at: before.at, restedAt });
}

// A command that is typed to say it again has read the terminal: it counts from then on.
function whoIn({ pid, startTicks, agents, conversation, input }: SpokenPane): string {
  return JSON.stringify([pid, startTicks, agents, conversation ?? null, input?.readAt ?? null]);
}

/** The processes that a look saw in a pane. */
export function notesIn(evidence: readonly Evidence[], paneId: string): readonly ProcessNote[] {
  return pieceOf('processes', evidence, paneId)?.processes ?? [];
}

/** What a look saw of a pane, of one kind. */
export function pieceOf<K extends 'agent' | 'history' | 'processes'>(
  kind: K,
  evidence: readonly Evidence[],
  paneId: string,
): Extract<Evidence, { kind: K }> | undefined {
  return evidence.find(
    (piece): piece is Extract<Evidence, { kind: K }> => piece.kind === kind && piece.paneId === paneId,
  );
}
