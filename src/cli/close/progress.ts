import type { CloseProgress } from '../../engine/act/close/rungs.ts';
import type { Output } from '../frame/surroundings.ts';
import { fitLine, printLine } from '../render/line.ts';
import { progressLine } from './report.ts';

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
