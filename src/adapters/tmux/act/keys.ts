import type { Acted, PaneTarget, Terms } from '../../../ports/actuator.ts';
import { actIf, asActed, NOT_IDS, type Reach } from './act-if.ts';
import { inputFacts, isPane, paneAddress } from './facts.ts';
import { inTime, paneStanceFacts, shownFacts } from './stance.ts';

/** Each byte takes five in the command, and tmux takes no command over 16 KiB. */
const MAX_TEXT_BYTES = 2048;
const BYTES_PER_COMMAND = 200;

/**
 * Types text byte by byte: tmux reads nothing into it, no key name and no semicolon. Line ends and other control
 * characters are refused, since each of them is a key that does something.
 */
export async function typeText(reach: Reach, pane: PaneTarget, text: string, terms: Terms): Promise<Acted> {
  if (/\p{Cc}/u.test(text))
    return { state: 'failed', text: 'control characters and line ends are never typed' };
  const bytes = [...Buffer.from(text)].map((byte) => byte.toString(16));
  if (bytes.length === 0) return { state: 'failed', text: 'there is nothing to type' };
  if (bytes.length > MAX_TEXT_BYTES) {
    return { state: 'failed', text: `more than ${MAX_TEXT_BYTES} bytes are never typed` };
  }
  const pieces: string[][] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_COMMAND) {
    pieces.push(['-H', ...bytes.slice(at, at + BYTES_PER_COMMAND)]);
  }
  return sendKeys(reach, pane, pieces, terms);
}

/** Presses a key, so often in one command that nobody types between. */
export function pressKey(
  reach: Reach,
  pane: PaneTarget,
  key: 'Enter' | 'BSpace',
  terms: Terms,
  times = 1,
): Promise<Acted> {
  return sendKeys(reach, pane, [Array.from({ length: times }, () => key)], terms);
}

async function sendKeys(reach: Reach, pane: PaneTarget, keys: readonly string[][], terms: Terms) {
  const stance = paneStanceFacts(terms, pane.paneId);
  if (!isPane(pane) || stance === null) return NOT_IDS;
  const target = paneAddress(pane);
  return asActed(
    await actIf(reach, {
      socketPath: pane.session.server.socketPath,
      target,
      facts: [
        ...inTime(terms.stance, reach.timeoutMs),
        ...inputFacts(pane),
        ...stance,
        ...shownFacts(terms.shown ?? []),
      ],
      commands: keys.map((words) => ['send-keys', '-t', target, ...words]),
    }),
  );
}
