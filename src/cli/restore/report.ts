import { LOSSES } from '../../core/memory/lost-by.ts';
import type { RestoreReport } from '../../core/restore/report.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/visible.ts';
import { ago } from '../../core/verdict/retention.ts';
import type { TerminalOutput } from '../frame/surroundings.ts';
import type { Tone } from '../render/colour.ts';
import { fitLine, type Line, line, printLine, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

/** One session that was lost: what comes back of it or came back, and what does not. */
export function restoreLines(report: RestoreReport, now: number, width: number | null): Line[] {
  const { name, text, hint, missing } = report;
  const head = [span(visible(name)), span(`  ${headWords(report, now)}`, TONES[report.result])];
  const more = [text, hint].flatMap((one) => (one === null ? [] : [one]));
  return [
    ...wrap([], head, width),
    ...more.flatMap((one) => paragraph(visible(one), width, 2, 'warning')),
    ...missing.flatMap((one) => paragraph(`not as it was: ${visible(one)}`, width, 2, 'quiet')),
  ];
}

const TONES: Readonly<Record<RestoreReport['result'], Tone>> = {
  'would-restore': 'quiet',
  restored: 'good',
  already: 'quiet',
  failed: 'alarm',
};

function headWords(report: RestoreReport, now: number): string {
  const { result, session, name, lostBy, lastSeenAt } = report;
  const label = report.socketPath.slice(report.socketPath.lastIndexOf('/') + 1);
  switch (result) {
    case 'would-restore':
      return `on ${label}: ${whatWords(report)}; ${LOSSES[lostBy]}, last seen ${ago(now - lastSeenAt)}`;
    case 'restored':
      return `restored on ${label}${session?.name === name ? '' : ` as ${visible(session?.name ?? '')}`}: ${whatWords(report)}`;
    case 'already':
      return 'is not lost any more, or somebody else restores it';
    case 'failed':
      return `cannot be restored; ${LOSSES[lostBy]}, last seen ${ago(now - lastSeenAt)}`;
  }
}

function whatWords({ agent, conversation, windows, panes, isHeld, isAsleep }: RestoreReport): string {
  const goesOn = conversation === null ? '' : ' in its conversation';
  const size = panes > 1 ? `, ${counted(windows, 'window')}, ${counted(panes, 'pane')}` : '';
  return `${agent === null ? 'no agent' : `${agent}${goesOn}`}${size}${isAsleep ? ', asleep' : ''}${isHeld ? ', held' : ''}`;
}

/** One line on a terminal that says how far it is. */
export function showRestoreProgress(
  output: TerminalOutput,
  isColor: boolean,
): (done: number, total: number, report: RestoreReport | null) => void {
  return (done, total, report) => {
    if (!output.isTTY) return;
    const last = report === null ? '' : `  ${visible(report.name)}: ${report.result}`;
    const text = printLine(fitLine(line(`restoring ${done} of ${total}${last}`), output.columns), isColor);
    output.write(`\r\u001b[K${done === total ? '' : text}`);
  };
}
