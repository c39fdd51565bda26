import type { History, PaneTarget } from '../../../ports/actuator.ts';
import { type ActedIf, actIf, type Reach } from './act-if.ts';
import { NOT_IDS } from './acted.ts';
import { isPane, paneAddress, paneFacts } from './facts.ts';

/** Where a screen of 500 columns in a three-byte script has 10,000 rows of history, that is 15 MB. */
const MAX_HISTORY_BYTES = 32 * 1024 * 1024;

/** Where to begin, in rows above the screen: what came last matters most. */
const BEGINNINGS = ['-', '-10000', '-1000', '0'] as const;

/** Captures what the pane remembers, long lines in one piece; less of it where that is too much. */
export async function captureHistory(
  reach: Reach,
  pane: PaneTarget,
  maxBytes = MAX_HISTORY_BYTES,
): Promise<History> {
  if (!isPane(pane)) return NOT_IDS;
  for (const start of BEGINNINGS) {
    const captured = await capture(reach, pane, start, maxBytes);
    switch (captured.state) {
      case 'done':
        return { state: 'captured', text: asText(captured.printed), isCut: start !== '-' };
      case 'changed':
        return { state: 'absent' };
      case 'failed':
        return captured;
      case 'too-long':
    }
  }
  return { state: 'failed', text: 'the screen alone is more than can be kept' };
}

function capture(reach: Reach, pane: PaneTarget, start: string, maxBytes: number): Promise<ActedIf> {
  const target = paneAddress(pane);
  return actIf(reach, {
    socketPath: pane.session.server.socketPath,
    target,
    facts: paneFacts(pane),
    commands: [['capture-pane', '-p', '-J', '-S', start, '-E', '-', '-t', target]],
    maxBytes,
  });
}

// Joining lines keeps the blanks behind them, and blank rows below the last line are nothing.
function asText(printed: Buffer): string {
  const text = printed.toString('utf8').replace(/ +$/gm, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}
