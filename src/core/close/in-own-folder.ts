import { visible } from '../text/visible.ts';
import { startedWords } from './pane-command.ts';
import { commandShown } from './program-shown.ts';
import type { Reopening } from './reopening.ts';

/**
 * The same with panes in the session's own folder whose own one is gone. What such a pane ran does not run there: it would do
 * its work in another place.
 */
export function inOwnFolder(whole: Reopening, gone: ReadonlySet<string>): Reopening {
  const missing: string[] = [];
  const windows = whole.windows.map((window) => ({
    ...window,
    panes: window.panes.map((pane) => {
      const { command, ...bare } = pane;
      if (pane.isThere || !gone.has(pane.cwd)) return pane;
      const ran =
        command === undefined ? '' : `, without its command: ${commandShown(startedWords(command))}`;
      const which = pane.paneId === undefined ? 'a pane' : `pane ${pane.paneId}`;
      missing.push(
        `${which}: its folder is gone (${visible(pane.cwd)}), so it opens in ${visible(whole.cwd)}${ran}`,
      );
      return { ...bare, cwd: whole.cwd };
    }),
  }));
  return missing.length === 0 ? whole : { ...whole, windows, missing: [...whole.missing, ...missing] };
}
