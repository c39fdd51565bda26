import { shownCommand } from '../../core/mask-secrets.ts';
import type { ReopenResult } from '../../engine/act/reopen/order.ts';
import { count } from './amounts.ts';
import type { Line } from './line.ts';
import { span } from './line.ts';

/** What was put back, and what could not be. */
export function reopenedLines({
  name,
  receipt,
  reopening,
  missing,
}: Extract<ReopenResult, { state: 'reopened' }>): Line[] {
  const { argv, windows } = reopening;
  const panes = windows.reduce((sum, window) => sum + window.panes.length, 0);
  const from = receipt === null ? 'what it was started with' : `receipt ${receipt}`;
  const size = panes > 1 ? `, ${count(windows.length, 'window')}, ${count(panes, 'pane')}` : '';
  return [
    [span(`${name}: reopened from ${from}${size}`)],
    [
      span(
        argv === null ? '  a plain shell in its first pane' : `  started: ${shownCommand(argv, 4096)}`,
        'quiet',
      ),
    ],
    ...missing.map((text) => [span(`  ${text}`, 'warning')]),
  ];
}
