import { counted } from '../../core/counted.ts';
import { shownCommand } from '../../core/mask-secrets.ts';
import { visible } from '../../core/visible.ts';
import type { ReopenResult } from '../../engine/act/reopen/order.ts';
import type { Woken } from '../../engine/act/sleep/trouble.ts';
import type { Line } from './line.ts';
import { span } from './line.ts';

/** What was put back, and what could not be. */
export function reopenedLines({
  name,
  receipt,
  socketPath,
  reopening,
  missing,
  putBack,
}: Extract<ReopenResult, { state: 'reopened' }>): Line[] {
  const { argv, line, windows, cwd, given } = reopening;
  const panes = windows.flatMap((window) => window.panes);
  const from = receipt === null ? 'what it was started with' : `receipt ${receipt}`;
  const size =
    panes.length > 1 ? `, ${counted(windows.length, 'window')}, ${counted(panes.length, 'pane')}` : '';
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
    ...(putBack.length === 0 ? [] : [quiet(putBackText(putBack))]),
    ...missing.map((text) => [span(`  ${visible(text)}`, 'warning')]),
  ];
}

/** What is awake again, and what is not as it was. */
export function wokenLines(woken: Woken): Line[] {
  if (woken.state === 'awake') return [[span(visible(`${woken.name}: nothing sleeps in it`))]];
  const { name, receipt, reopening, missing, putBack } = woken;
  const names = Object.keys(reopening.given);
  return [
    [span(visible(`${name}: awake again in its pane, from receipt ${receipt}`))],
    quiet(`started: ${shownCommand(reopening.argv ?? [], 4096)}`),
    ...(names.length === 0 ? [] : [quiet(`with its variables ${names.join(', ')}`)]),
    ...(putBack.length === 0 ? [] : [quiet(putBackText(putBack))]),
    ...missing.map((text) => [span(`  ${visible(text)}`, 'warning')]),
  ];
}

// The first file of a conversation is put back last.
function putBackText(paths: readonly string[]): string {
  const more = paths.length > 1 ? ` and ${counted(paths.length - 1, 'more file')}` : '';
  return `its agent had deleted its conversation; put back from the copy: ${paths.at(-1)}${more}`;
}

function quiet(text: string): Line {
  return [span(`  ${visible(text)}`, 'quiet')];
}
