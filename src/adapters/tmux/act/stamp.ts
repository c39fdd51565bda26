import type { Acted, PaneTarget, Stamp } from '../../../ports/actuator.ts';
import { actIf, type Reach } from './act-if.ts';
import { asActed, NOT_IDS } from './acted.ts';
import { isPane, paneAddress, paneFacts } from './facts.ts';

/**
 * The word of the run on the session that it made. Another name than on the pane: tmux looks for what a pane does not have on
 * its session, and a pane that somebody adds bears no word.
 */
export const SESSION_RUN = '@rollcall_session';

/** Writes the stamp on a pane that runs already. */
export async function stampPane(reach: Reach, pane: PaneTarget, stamp: Stamp): Promise<Acted> {
  if (!isPane(pane)) return NOT_IDS;
  const target = paneAddress(pane);
  return asActed(
    await actIf(reach, {
      socketPath: pane.session.server.socketPath,
      target,
      facts: paneFacts(pane),
      commands: stampCommands(target, stamp),
    }),
  );
}

/** What is null is taken off: an old task must not speak for a new one. */
export function stampCommands(target: string, { run, owner, role, task }: Stamp): string[][] {
  return Object.entries({ run, owner, role, task }).map(([name, value]) =>
    value === null
      ? ['set-option', '-p', '-u', '-t', target, `@rollcall_${name}`]
      : ['set-option', '-p', '-t', target, `@rollcall_${name}`, value],
  );
}
