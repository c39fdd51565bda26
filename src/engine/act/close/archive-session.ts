import { archiveDocument } from '../../../core/close/archive-document.ts';
import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { boundedDocument } from '../../../core/close/kept-document.ts';
import { isKept } from '../../../core/close/last-screen.ts';
import type { Claims } from '../../../core/ledger/current-facts.ts';
import type { KeptStart } from '../../../core/sight/start.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { Archived } from '../../../ports/archive.ts';
import type { ProcessSensor } from '../../../ports/sensor.ts';
import { factsOf, type Hands } from '../hands.ts';
import { carriedOver } from '../sleep/carried-over.ts';
import type { Subject, There } from './look-at.ts';

/** Keeps everything of a session from which it can be made again. Nothing is done to a session that could not be kept. */
export async function archiveSession(
  hands: Hands,
  { target }: Subject,
  { entry, panes }: There,
  { id, claims }: { readonly id: string; readonly claims: Claims | null },
): Promise<Archived> {
  const windows = await hands.tmux.layout(target);
  if (windows === null) return failed('tmux did not tell how its windows are laid out');
  const histories = new Map<string, string>();
  const cut = new Set<string>();
  for (const { paneId, pid } of panes) {
    const history = await hands.tmux.history({ session: target, paneId, pid });
    if (history.state === 'absent') return failed(`pane ${paneId} went away`);
    if (history.state === 'failed') return failed(`pane ${paneId}: ${history.text}`);
    histories.set(paneId, history.text);
    if (history.isCut) cut.add(paneId);
  }
  const started = startedIn(hands.processes, panes);
  const at = hands.now();
  const seen = archiveDocument({ id, at, entry, panes, windows, ...started, cut, claims });
  const carried = carriedOver(hands, entry.key, seen);
  if (typeof carried === 'string') return failed(carried);
  const whole = carried?.document ?? seen;
  const start = carried ? carried.start : startOf(hands, entry.key, panes);
  return hands.archive.write(id, { document: boundedDocument(whole), histories, ...(start && { start }) });
}

/** What the programs of these panes were started with, and the environments of their agents. */
export function startedIn(
  sensor: Pick<ProcessSensor, 'details' | 'environment'>,
  panes: readonly ClosingPane[],
): Pick<Parameters<typeof archiveDocument>[0], 'startedAs' | 'environments'> {
  const all = panes.flatMap(({ processes }) => processes);
  const environments = panes.flatMap(({ agent }) => {
    const env = agent && sensor.environment(agent);
    return agent && env ? [[agent.pid, env] as const] : [];
  });
  const startedAs = sensor.details(all, { io: false, memory: false });
  return { startedAs, environments: new Map(environments) };
}

/** How rollcall started it, and in which pane: what tmux began it with bears the word of the run. */
function startOf(hands: Hands, key: string, panes: readonly ClosingPane[]): KeptStart | null {
  const run = factsOf(hands, { key })?.origin?.run;
  const start = run === undefined ? null : hands.starts.of(run);
  if (start === null) return null;
  const own = panes.find(({ processes }) => {
    const root = processes.find(({ relation }) => relation === 'root');
    return root !== undefined && hands.processes.environment(root)?.ROLLCALL_RUN === run;
  });
  return { start, paneId: own?.paneId ?? null };
}

function failed(text: string): Archived {
  return { state: 'failed', text, hint: 'nothing is closed that could not be archived' };
}

/** The panes of a session that is about to be removed, and the archive that has everything from before. */
export interface FinalScreens {
  readonly panes: readonly Pick<PaneTarget, 'paneId' | 'pid'>[];
  readonly archiveId: string;
  /** Takes the digest of what is added. */
  readonly digests: Map<string, string>;
}

/**
 * Keeps what every pane shows right before its session is removed: what an agent says on its way out comes after the
 * archive, its own resume line above all. What could not be kept is told and stops nothing: the archive is complete
 * without it. Gives what to tell, in words for the receipt.
 */
export async function keepLastScreens(
  hands: Pick<Hands, 'tmux' | 'archive'>,
  { target }: Pick<Subject, 'target'>,
  { panes, archiveId, digests }: FinalScreens,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { paneId, pid } of panes) {
    const history = await hands.tmux.history({ session: target, paneId, pid });
    if (history.state === 'captured') {
      if (isKept(history.text, hands.archive.screens(archiveId, paneId))) continue;
      const added = hands.archive.add(archiveId, paneId, history.text);
      if (added.state === 'written') {
        for (const [file, digest] of Object.entries(added.digests)) digests.set(file, digest);
      }
      if (added.state === 'failed') notes.push(notKept(paneId, added.text));
      else if (history.isCut) notes.push(`of what pane ${paneId} showed last, the beginning is not kept`);
    } else {
      notes.push(notKept(paneId, history.state === 'absent' ? 'it went away' : history.text));
    }
  }
  return notes;
}

function notKept(paneId: string, why: string): string {
  return `what pane ${paneId} showed last is not kept: ${why}`;
}
