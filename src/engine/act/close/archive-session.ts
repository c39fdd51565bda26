import { archiveDocument } from '../../../core/close/archive-document.ts';
import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { boundedDocument } from '../../../core/close/kept-document.ts';
import type { Claims } from '../../../core/ledger/current-facts.ts';
import type { KeptStart } from '../../../core/sight/start.ts';
import type { Archived } from '../../../ports/archive.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { carriedOver } from '../sleep/carried-over.ts';
import type { Sight, Subject } from './look-at.ts';

type Failed = Extract<Archived, { state: 'failed' }>;

/** Keeps everything of a session from which it can be made again. Nothing is done to a session that could not be kept. */
export async function archiveSession(
  hands: Hands,
  { target }: Subject,
  sight: Extract<Sight, { state: 'there' }>,
  { id, claims }: { readonly id: string; readonly claims: Claims | null },
): Promise<Archived> {
  const { entry, panes } = sight;
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
  const startedAs = hands.processes.details(
    panes.flatMap(({ processes }) => processes),
    { io: false, memory: false },
  );
  const environments = new Map(
    panes.flatMap(({ agent }) => {
      const env = agent && hands.processes.environment(agent);
      return agent && env ? [[agent.pid, env] as const] : [];
    }),
  );
  const at = hands.now();
  const seen = archiveDocument({ id, at, entry, panes, windows, startedAs, environments, cut, claims });
  const carried = carriedOver(hands, entry.key, seen);
  if (typeof carried === 'string') return failed(carried);
  const whole = carried?.document ?? seen;
  const start = carried ? carried.start : startOf(hands, entry.key, panes);
  return hands.archive.write(id, { document: boundedDocument(whole), histories, ...(start && { start }) });
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

function failed(text: string): Failed {
  return { state: 'failed', text, hint: 'nothing is closed that could not be archived' };
}
