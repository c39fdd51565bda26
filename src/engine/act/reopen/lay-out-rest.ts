import type { Started } from '../../../core/close/bodies.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import type { Birth } from '../run-birth.ts';
import { keptOf } from './kept.ts';
import { lostSessionOf } from './lost-session-of.ts';
import { withRest } from './may-start.ts';

/**
 * Lays out a session whose reopening was stopped between its start and its outcome: windows that were not begun are made, and
 * what stands there is left. Gives what is not as it was.
 */
export async function layOutRest(
  hands: Hands,
  { reopens: key }: Started,
  { pane }: Birth,
  { host }: Pick<Roll, 'host'>,
): Promise<string[]> {
  const facts = factsOf(hands, { key });
  if (facts === undefined) return [];
  const kept = keptOf(hands, { closed: lostSessionOf(hands, facts) });
  if ('state' in kept || kept.windows.flatMap(({ panes }) => panes).length <= 1) return [];
  const { windows, missing } = await withRest(hands, facts, kept, host);
  const told = missing.filter((text) => !kept.missing.includes(text));
  const laidOut = await hands.tmux.layOut(pane, windows);
  if (laidOut.state === 'done') return told;
  return [...told, `its windows are not laid out as they were: ${laidOut.text}`];
}
