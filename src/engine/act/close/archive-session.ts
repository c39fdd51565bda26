import { archiveDocument } from '../../../core/close/archive-document.ts';
import { boundedDocument } from '../../../core/close/bounded-document.ts';
import type { Claims } from '../../../core/ledger/current-facts.ts';
import type { Archived } from '../../../ports/archive.ts';
import type { Hands } from '../hands.ts';
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
  const whole = archiveDocument({ id, at, entry, panes, windows, startedAs, environments, cut, claims });
  return hands.archive.write(id, { document: boundedDocument(whole), histories });
}

function failed(text: string): Failed {
  return { state: 'failed', text, hint: 'nothing is closed that could not be archived' };
}
