import type { By, Doing } from '../machine/journal.ts';
import type { SimProcess } from '../machine/process.ts';
import type { SimPane, SimSession } from '../machine/tmux-parts.ts';
import { sessionOf } from '../machine/tmux-server.ts';
import { type Truth, truth } from '../machine/truth.ts';
import type { Deed } from './deeds.ts';
import type { Scene } from './scene.ts';

/** Something that rollcall is about to do to somebody. */
export interface Act {
  readonly by: string;
  readonly doing: Doing;
  /** Whose it is; null where that is nobody's any more. */
  readonly session: SimSession | null;
  readonly pane: SimPane | null;
  /** Who gets a signal; null where nobody has that number and start. */
  readonly process: SimProcess | null;
  /** What it is done for; null where no open intent names this session or process. */
  readonly deed: Deed | null;
  /** How the session really stands. */
  readonly truth: Truth | null;
}

/** An act of rollcall with everything that laws ask about it. */
export function actOf(scene: Scene, by: By, doing: Doing): Act {
  const { machine, homes, deeds } = scene;
  const mark = doing.what === 'signal' ? doing.mark : undefined;
  const process = mark === undefined ? null : (machine.processes.find(mark) ?? null);
  const pane = 'pane' in doing ? doing.pane : null;
  const session =
    doing.what === 'kill-session'
      ? doing.session
      : pane !== null
        ? pane.window.sessions.size > 0
          ? sessionOf(pane)
          : null
        : homes.of(mark as NonNullable<typeof mark>);
  const deed = deeds.of(by, { key: session?.key ?? null, ...(mark && { mark }) });
  const isThere = session !== null && !session.isGone;
  return { by, doing, session, pane, process, deed, truth: isThere ? truth(machine, session) : null };
}

/** What an act does, in words. */
export function wordsOf({ doing, session, process }: Act): string {
  const where = session === null ? 'a session that is gone' : `session ${session.label}`;
  switch (doing.what) {
    case 'type':
      return `types '${doing.text}' into ${doing.pane.id} of ${where}`;
    case 'press':
      return `presses ${doing.key} in ${doing.pane.id} of ${where}`;
    case 'respawn':
      return `starts another program in ${doing.pane.id} of ${where}`;
    case 'kill-pane':
      return `removes ${doing.pane.id} of ${where}`;
    case 'kill-session':
      return `removes ${where}`;
    case 'signal':
      return `sends ${doing.signal} to ${process?.comm ?? 'nobody'} (pid ${doing.mark.pid}) of ${where}`;
  }
}
