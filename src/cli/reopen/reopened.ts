import type { ReopenDocument, WakeDocument } from '../../contract/close-schemas.ts';
import { counted } from '../../core/text/counted.ts';
import { shownCommand } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import { type Line, span } from '../render/line.ts';

/** What was put back, and what could not be. */
export function reopenedLines(reopened: ReopenDocument): Line[] {
  const { name, receipt, server, argv, line, cwd, windows, panes, commands } = reopened;
  const from = receipt === null ? 'what it was started with' : `receipt ${receipt}`;
  const size = panes > 1 ? `, ${counted(windows, 'window')}, ${counted(panes, 'pane')}` : '';
  const label = server.socketPath.slice(server.socketPath.lastIndexOf('/') + 1);
  const own = argv ?? (line === null ? null : [line]);
  return [
    [span(visible(`${name}: reopened on ${label} in ${cwd}, from ${from}${size}`))],
    quiet(own === null ? 'a plain shell in its first pane' : `started: ${shownCommand(own, 4096)}`),
    ...commands.map((command) => quiet(`in another pane: ${shownCommand(command, 500)}`)),
    ...sameLines(reopened),
  ];
}

/** What is awake again, and what is not as it was. */
export function wokenLines(woken: WakeDocument): Line[] {
  const { name, receipt, argv } = woken;
  if (woken.result === 'awake') return [[span(visible(`${name}: nothing sleeps in it`))]];
  return [
    [span(visible(`${name}: awake again in its pane, from receipt ${receipt}`))],
    quiet(`started: ${shownCommand(argv ?? [], 4096)}`),
    ...sameLines(woken),
  ];
}

function sameLines({ env, putBack, missing }: Pick<WakeDocument, 'env' | 'putBack' | 'missing'>): Line[] {
  return [
    ...(env.length === 0 ? [] : [quiet(`with its variables ${env.join(', ')}`)]),
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
