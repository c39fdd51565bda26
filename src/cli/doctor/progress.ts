import type { TerminalOutput } from '../frame/surroundings.ts';
import { fitLine, line, printLine } from '../render/line.ts';

/** Says what the doctor is at, in one line that gives place to the next; nothing where nobody sees it. */
export function doctorProgress(output: TerminalOutput): { say(text: string): void; end(): void } {
  if (!output.isTTY) return { say: () => {}, end: () => {} };
  const columns = output.columns ?? 80;
  return {
    say: (text) => output.write(`\r\u001b[K${printLine(fitLine(line(text, 'quiet'), columns), true)}`),
    end: () => output.write('\r\u001b[K'),
  };
}
