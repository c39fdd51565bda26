import type { PresentServer } from '../sight/sighting.ts';
import { visible } from '../text/visible.ts';
import type { Guarded } from './guarded.ts';
import { type PaneFate, spokenExit, toldBy } from './pane-fate.ts';

/** Something that happened and is no death of what is guarded; said once. */
export interface GuardNote {
  readonly code:
    | 'pane-closed'
    | 'pane-respawned'
    | 'pane-ended'
    | 'pane-moved'
    | 'other-pane-died'
    | 'session-renamed';
  readonly paneId: string | null;
  readonly text: string;
}

/** Everything worth a word about panes that people or programs closed, moved, added or restarted. */
export function notesOf(guarded: Guarded, server: PresentServer, fates: readonly PaneFate[]): GuardNote[] {
  const session = server.sessions.find((one) => one.sessionId === guarded.sessionId);
  const name = session?.name ?? guarded.name;
  const text = `session '${shown(guarded.name)}' is now named '${shown(name)}'`;
  const renamed = name === guarded.name ? [] : [note('session-renamed', null, text)];
  const guardedIds = new Set(guarded.panes.map((pane) => pane.paneId));
  const others = guarded.scope === 'panes' ? [] : (session?.panes ?? []);
  const strangers = others.flatMap((pane) => {
    const exit = toldBy(pane);
    // Without a word from tmux it may live: its program may only have let go of the terminal.
    if (!pane.isDead || guardedIds.has(pane.paneId) || exit === null || exit.status === 0) return [];
    return [
      note('other-pane-died', pane.paneId, `pane ${pane.paneId}, added later, died: ${spokenExit(exit)}`),
    ];
  });
  return [...renamed, ...fates.flatMap((fate) => noteOf(fate, guarded)), ...strangers];
}

function noteOf(fate: PaneFate, { sessionId }: Guarded): GuardNote[] {
  const pane = `pane ${fate.paneId}`;
  switch (fate.state) {
    case 'closed':
      return [note('pane-closed', fate.paneId, `${pane} was closed`)];
    case 'respawned':
      return [note('pane-respawned', fate.paneId, `another program was started in ${pane}`)];
    case 'ended':
      return [note('pane-ended', fate.paneId, `${pane} ended in order: exit status 0`)];
    case 'alive':
      if (fate.sessionId === sessionId) return [];
      return [note('pane-moved', fate.paneId, `${pane} lives on in session ${fate.sessionId}`)];
    default:
      return [];
  }
}

function note(code: GuardNote['code'], paneId: string | null, text: string): GuardNote {
  return { code, paneId, text };
}

function shown(name: string): string {
  return visible(name, 200);
}
