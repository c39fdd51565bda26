import type { Sleeper } from '../../../core/sleep/asleep.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { Hands } from '../hands.ts';
import { awaitPeople } from './await-people.ts';
import { sleeperOf } from './find-sleeper.ts';
import { sleeperWish } from './sleeper-wish.ts';
import type { Sleeping } from './wake-order.ts';

/**
 * Puts another sleeper where an agent that was woken has ended: it sleeps on, and says why. Null where tmux did not do it;
 * then the dead pane stays, and its receipt.
 */
export async function sleepAgain(
  hands: Hands,
  { asleep, kept, closed, order }: Pick<Sleeping, 'asleep' | 'kept' | 'closed' | 'order'>,
  pane: PaneTarget,
  trouble: string,
): Promise<Sleeper | null> {
  const { receipt, kind, conversation, freedBytes, at } = asleep;
  const sign = {
    ...{ receipt, session: order.entry.name, kind: kind ?? 'its agent', conversation, trouble },
    ...{ at, bytes: freedBytes, cwd: kept.cwd, resume: kept.argv },
  };
  const started = await hands.tmux.startInPane(pane, sleeperWish(hands, sign, closed.facts.claims));
  if (started.state !== 'started') return null;
  const sleeper = sleeperOf(hands, started);
  await awaitPeople(hands, pane.session, sleeper);
  return sleeper;
}
