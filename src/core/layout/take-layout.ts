import { type ArchiveParts, archiveDocument } from '../close/archive-document.ts';
import { boundedDocument, type KeptPane } from '../close/kept-document.ts';
import type { SessionEntry } from '../sight/roll.ts';
import { type Layout, MAX_LAYOUT_BYTES } from './layout.ts';

/** Names of windows and sizes of panes are not on the roll: they are asked for so often. */
const REFRESH_MS = 5 * 60_000;

/** Whether the session has to be looked at more closely. */
export function isLayoutDue(
  before: Pick<Layout, 'print' | 'at' | 'lackingSince'> | null,
  print: string,
  now: number,
): boolean {
  if (before === null || before.print !== print || before.lackingSince !== undefined) return true;
  return Math.abs(now - before.at) >= REFRESH_MS;
}

/** Everything on the roll that a layout is made of, in one word; what programs do in between is not among it. */
export function layoutPrint({ name, panes, evidence }: SessionEntry): string {
  const places = panes.map(({ paneId, windowIndex, paneIndex, isActive, pid, isDead, cwd }) => [
    ...[paneId, windowIndex, paneIndex, isActive, pid, isDead, cwd],
  ]);
  const agents = evidence.flatMap((one) =>
    one.kind === 'agent' ? [[one.paneId, one.agentPid, one.conversation]] : [],
  );
  return JSON.stringify([name, places, agents]);
}

/**
 * Whether a look saw enough: a layout without its processes would bring back less than the one before it. A pane that has no
 * process at all (`split-window -I`) is seen.
 */
export function isSeenWhole({ panes, evidence }: SessionEntry): boolean {
  const seen = new Set(
    evidence.flatMap((one) => (one.kind === 'processes' && one.processes.length > 0 ? [one.paneId] : [])),
  );
  return (
    panes.length > 0 && panes.every(({ paneId, isDead, pid }) => isDead || pid === 0 || seen.has(paneId))
  );
}

/** The layout of a session as it was seen just now. */
export function takeLayout(parts: Omit<ArchiveParts, 'id' | 'cut' | 'claims'>, print: string): Layout {
  const { key } = parts.entry;
  const whole = archiveDocument({ ...parts, id: key, cut: new Set(), claims: null });
  const { session, windows, panes, git } = whole;
  const document = boundedDocument({ session, windows, panes: panes.map(lean), git }, MAX_LAYOUT_BYTES / 2);
  return { key, at: parts.at, print, document };
}

// What an agent runs is the agent's: it neither comes back nor is it told.
function lean(pane: KeptPane): KeptPane {
  if (pane.agent == null) return pane;
  const own = pane.processes.filter(({ role, relation }) => role === 'agent' || relation === 'root');
  return { ...pane, processes: own };
}
