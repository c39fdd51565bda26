import type { CloseReport } from '../../core/close/report.ts';
import { EXIT_CODES } from '../../core/exit-codes.ts';
import type { CloseProgress } from '../../engine/act/close/order.ts';
import { type Doomed, type Endings, endSessions, worstEnd } from '../../operations/end.ts';
import { Failure } from '../../operations/failure.ts';
import { askYes } from '../frame/ask.ts';
import { atHere } from '../frame/at.ts';
import { isColor } from '../frame/is-color.ts';
import type { Output, Surroundings } from '../frame/surroundings.ts';
import { writeJson } from '../frame/write-json.ts';
import { fitLine, printLine, printLines } from '../render/line.ts';
import { serverWords } from '../roll/take-roll.ts';
import { readDuration } from '../wait/wait-duration.ts';
import { lossLines } from './loss-lines.ts';
import { closeLines, progressLine } from './report.ts';

interface EndFlags {
  readonly json: boolean;
  readonly server: readonly string[];
  readonly color: 'auto' | 'always' | 'never' | undefined;
  readonly 'no-color': boolean;
  readonly 'dry-run': boolean;
}

/** The time that all of it may take, as it was written. */
export function readTimeout(written: string | undefined): number | undefined {
  return written === undefined ? undefined : readDuration('timeout', written, { min: 1000, max: 3_600_000 });
}

/** Ends sessions for a person or a program: tells of each what becomes of it, as it goes. Gives the exit code. */
export async function endFor(
  surroundings: Surroundings,
  flags: EndFlags,
  { isAsked: mayAsk, ...asked }: Endings & { readonly isAsked: boolean },
): Promise<number> {
  const { stdout, stderr, stdin } = surroundings;
  const isPainted = isColor(flags, surroundings);
  const isAsked = mayAsk && stdin.isTTY && stdout.isTTY && !flags.json;
  const looks = { isDryRun: flags['dry-run'], done: asked.isToSleep ? 'put to sleep' : 'closed' } as const;
  const document = await endSessions(
    { ...asked, dryRun: flags['dry-run'], servers: serverWords(flags.server, surroundings) },
    atHere(surroundings, flags),
    {
      onProgress: showProgress(stderr, {
        isColor: isColor(flags, { ...surroundings, stdout: stderr }),
        isAlone: asked.sessions.length === 1,
      }),
      onReport: (report: CloseReport) => {
        if (!flags.json) stdout.write(printLines(closeLines(report, stdout.columns, looks), isPainted));
      },
      beforeForce: async (doomed: readonly Doomed[]) => {
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
  output: Output,
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
