import { readEnding } from '../../core/close/bodies.ts';
import type { Roll } from '../../core/sight/roll.ts';
import { livingOf } from '../act/close/processes.ts';
import type { LeftIntent, Recovery } from '../act/deed.ts';
import type { Hands } from '../act/hands.ts';

/** What the doctor does to processes that outlived their session, as the ledger calls it. */
export const END_ACTION = 'end-processes';

/** What became of an ending that was cut short: only looked at, nothing is ended again. */
export async function recoverEnding(
  hands: Hands,
  intent: LeftIntent,
  { host }: Roll,
): Promise<Recovery | null> {
  const left = intent.bootId === host.bootId ? livingOf(hands, readEnding(intent.body)) : [];
  const { session } = intent;
  if (left.length === 0) return { session, body: { result: 'done' } };
  const text = `still there: ${left.map(({ pid }) => `pid ${pid}`).join(', ')}; rollcall doctor shows them`;
  return { session, body: { result: 'partly', text } };
}
