import { EXIT_CODES } from '../../core/exit-codes.ts';
import type { CloseProgress } from '../../engine/act/close/order.ts';
import { type Endings, endSessions, worstEnd } from '../../operations/end.ts';
import { Failure } from '../../operations/failure.ts';
import { askYes } from '../frame/ask.ts';
import { atHere } from '../frame/at.ts';
import type { Invocation } from '../frame/command.ts';
import { choices, toggle, word } from '../frame/flags.ts';
import { isColor } from '../frame/is-color.ts';
import type { TerminalOutput } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { fitLine, printLine, printLines } from '../render/line.ts';
import { serverWords } from '../roll/take-roll.ts';
import { readDuration } from '../wait/wait-duration.ts';
import { closeLines, lossLines, progressLine } from './report.ts';

/** Flags of the commands that end something. */
export const END_FLAGS = {
  'dry-run': toggle('Say what would be done, and do nothing.'),
  despite: choices(
    'CODE',
    ['attached', 'recent-input', 'human-managed', 'project-config-broken', 'held', 'retained'],
    'Set a protection aside.',
  ),
  timeout: word(
    'TIME',
    'How long it may take, such as 20s or 5m. Then it stops, and what is not ended yet stays as it is.',
    { default: '1m' },
  ),
  reason: word('TEXT', 'Why, for the receipt.'),
} as const;

/** Ends sessions for a person or a program: tells of each what becomes of it, as it goes. Gives the exit code. */
export async function endFor(
  { flags, words, surroundings }: Invocation<typeof END_FLAGS>,
  {
    isAsked: mayAsk = false,
    ...wish
  }: Pick<Endings, 'isToSleep' | 'due' | 'force'> & { readonly isAsked?: boolean },
): Promise<number> {
  const { stdout, stderr, stdin } = surroundings;
  const { timeout, despite, reason, 'dry-run': isDryRun } = flags;
  const timeoutMs =
    timeout === undefined ? undefined : readDuration('timeout', timeout, { min: 1000, max: 3_600_000 });
  const isPainted = isColor(flags, surroundings);
  const isAsked = mayAsk && stdin.isTTY && stdout.isTTY && !flags.json;
  const looks = { isDryRun, done: wish.isToSleep ? 'put to sleep' : 'closed' } as const;
  const servers = serverWords(flags.server, surroundings);
  const document = await endSessions(
    { ...wish, sessions: words, despite, timeoutMs, reason, dryRun: isDryRun, servers },
    atHere(surroundings, flags),
    {
      onProgress: showProgress(stderr, {
        isColor: isColor(flags, { ...surroundings, stdout: stderr }),
        isAlone: words.length === 1,
      }),
      onReport: (report) => {
        if (!flags.json) stdout.write(printLines(closeLines(report, stdout.columns, looks), isPainted));
      },
      beforeForce: async (doomed) => {
        const lost = doomed.flatMap(({ entry, processes }) => lossLines(entry, processes));
        stderr.write(printLines(lost, isPainted));
        if (isAsked && !(await askYes('Close and end all of that?', surroundings))) {
          throw new Failure('refused', 'nothing was closed', { hint: 'nobody said yes' });
        }
      },
    },
  );
  if (flags.json) writeJson(stdout, document);
  else if (document.sessions.length === 0) stdout.write('nothing is due\n');
  return EXIT_CODES[worstEnd(document.sessions)].code;
}

/** Shows the rungs as they are climbed: on a terminal what is under way gives place to what came of it. */
export function showProgress(
  output: TerminalOutput,
  { isColor, isAlone }: { readonly isColor: boolean; readonly isAlone: boolean },
): (progress: CloseProgress) => void {
  const isLive = output.isTTY && isAlone;
  let isOpen = false;
  let last = '';
  return (progress) => {
    const line = progressLine(progress, isLive);
    if (line === null) return;
    const text = printLine(fitLine(line, isLive ? output.columns : null), isColor);
    if (!isLive && text === last) return;
    last = text;
    const back = isOpen ? '\r\u001b[K' : '';
    isOpen = isLive && progress.state !== 'over';
    output.write(`${back}${text}${isOpen ? '' : '\n'}`);
  };
}
