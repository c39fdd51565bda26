import type { SessionEntry } from '../sight/roll.ts';
import type { Evidence } from '../verdict/evidence.ts';

/** What the screens of a session showed, in one word each time the same; null where they could not be captured. */
export type ScreenMark = string | null;

/**
 * A text that stays the same as long as nothing happens in a session, and changes with whatever does: output, the screen
 * byte for byte, the agent's word, its transcript, processes, people, what was declared. Ages, CPU and sizes are not in it.
 */
export function fingerprintOf(entry: SessionEntry, screens: ScreenMark): string {
  return JSON.stringify([
    whole(entry),
    screens,
    ...sorted(entry.evidence.flatMap((piece) => markOf(piece) ?? [])),
  ]);
}

/** The fingerprint with what git says, to compare two thorough looks: others do not ask git. */
export function deepFingerprintOf(entry: SessionEntry, screens: ScreenMark): string {
  const facts = entry.evidence.flatMap((piece) =>
    piece.kind === 'git' ? [[piece.paneId, { ...piece.facts, observedAt: 0 }]] : [],
  );
  return JSON.stringify([fingerprintOf(entry, screens), sorted(facts)]);
}

function whole({ key, name, activity, attached, protections, agent, panes }: SessionEntry) {
  const of = panes.map(({ paneId, pid, cwd, title, isDead }) => [paneId, pid, cwd, title, isDead]);
  return [key, name, activity, attached, protections.map(({ code }) => code), agent, of];
}

// The order of evidence means nothing.
function sorted(marks: readonly unknown[]): string[] {
  return marks.map((mark) => JSON.stringify(mark)).sort();
}

function markOf(piece: Evidence): unknown[][] | null {
  switch (piece.kind) {
    case 'pane': {
      const { paneId, isDead, exitStatus, exitSignal, lastOutputAt, isFullScreen, isInMode } = piece;
      const rest = [isFullScreen, isInMode, piece.isWindowShared, piece.title, piece.hasNoTerminal];
      return [[piece.kind, paneId, isDead, exitStatus, exitSignal, lastOutputAt, ...rest]];
    }
    case 'processes':
      return piece.processes.map(({ pid, startTicks, parentPid, program, relation }) => [
        ...[piece.kind, piece.paneId, pid, startTicks, parentPid, program, relation],
      ]);
    case 'people': {
      const clients = piece.clients.map(({ tty, pid, lastInputAt }) => [tty, pid, lastInputAt]);
      return [[piece.kind, clients, piece.isThroughGroup, piece.lastAttachedAt]];
    }
    case 'agent': {
      const { paneId, agentKind, agentPid, conversation, transcript, resume } = piece;
      return [[piece.kind, paneId, agentKind, agentPid, conversation, transcript, resume]];
    }
    case 'agent-sign': {
      // The screen is there as a whole, and asked only now and then by those who read signs on it.
      if (piece.source === 'screen') return null;
      const { paneId, source, agentPid, since, turn, waitingFor } = piece;
      const rest = [piece.background, piece.hasDraft, piece.isReady];
      return [[piece.kind, paneId, source, agentPid, since, turn, waitingFor, ...rest]];
    }
    case 'standing':
      return [[piece.kind, { ...piece, observedAt: 0 }]];
    case 'sensor-unavailable':
      // git and screens are asked by some looks only.
      return piece.source === 'git' || piece.source === 'screen' ? null : [[piece.kind, piece.source]];
    case 'mass-death':
      return [[piece.kind]];
    case 'screen':
    case 'git':
    case 'history':
    case 'clock':
      return null;
  }
}
