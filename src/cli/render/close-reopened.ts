import { shownCommand } from '../../core/mask-secrets.ts';
import { visible } from '../../core/visible.ts';
import type { ReopenResult } from '../../engine/act/reopen/order.ts';
import { count } from './amounts.ts';
import type { Line } from './line.ts';
import { span } from './line.ts';

/** What was put back, and what could not be. */
export function reopenedLines({
  name,
  receipt,
  socketPath,
  reopening,
  missing,
}: Extract<ReopenResult, { state: 'reopened' }>): Line[] {
  const { argv, line, windows, cwd, given } = reopening;
  const panes = windows.flatMap((window) => window.panes);
  const from = receipt === null ? 'what it was started with' : `receipt ${receipt}`;
  const size = panes.length > 1 ? `, ${count(windows.length, 'window')}, ${count(panes.length, 'pane')}` : '';
  const label = socketPath.slice(socketPath.lastIndexOf('/') + 1);
  const own = argv ?? (line === undefined ? null : [line]);
  const names = Object.keys(given);
  return [
    [span(visible(`${name}: reopened on ${label} in ${cwd}, from ${from}${size}`))],
    quiet(own === null ? 'a plain shell in its first pane' : `started: ${shownCommand(own, 4096)}`),
    ...panes.flatMap(({ command }) =>
      command === undefined ? [] : [quiet(`in another pane: ${shownCommand(command, 500)}`)],
    ),
    ...(names.length === 0 ? [] : [quiet(`with its variables ${names.join(', ')}`)]),
    ...missing.map((text) => [span(`  ${visible(text)}`, 'warning')]),
  ];
}

function quiet(text: string): Line {
  return [span(`  ${visible(text)}`, 'quiet')];
}
