import { LedgerError } from '../../../core/ledger/ledger-error.ts';
import { identityOf, isGone, isUnheard } from '../../../core/sight/roll.ts';
import { perform, Undecided, undecided } from '../deed.ts';
import { factsOf, type Hands, sinceBoot } from '../hands.ts';
import { aloneOnConversation } from '../reopen/conversation.ts';
import { hindranceTo, withPlaces } from '../reopen/may-start.ts';
import { LostDeed } from '../still-ours.ts';
import { type Sleeping, sleepOf, type WakeOrder, type WakeResult, type WakeStep } from './wake-order.ts';
import { intentBody, type WakeCourse, wakeUp } from './wake-up.ts';

/** Puts an agent that sleeps back into its pane: the same conversation, options and variables. */
export async function wakeSession(hands: Hands, order: WakeOrder): Promise<WakeResult> {
  const sleep = sleepOf(hands, order);
  if ('state' in sleep) return sleep;
  const { sequence } = sleep.asleep;
  const result = await aloneOnConversation(hands, order, sleep.kept, async () =>
    factsOf(hands, order.entry)?.asleep?.sequence === sequence ? wakeAlone(hands, { ...sleep, order }) : null,
  );
  // Whoever was at its conversation until now has woken it, or has put it to sleep once more.
  return result ?? wakeSession(hands, order);
}

async function wakeAlone(hands: Hands, sleep: Omit<Sleeping, 'pane'>): Promise<WakeResult> {
  const { asleep, order } = sleep;
  const { key, name } = order.entry;
  const word = crypto.randomUUID();
  const course: WakeCourse = { isBorn: false };
  let early: WakeResult | null = null;
  let sleeping = null as Sleeping | null;
  let lookedAt = 0;
  const performing = perform<WakeResult, WakeStep>(
    hands,
    {
      action: 'wake',
      session: { key, name },
      argv: order.argv,
      async prepare() {
        lookedAt = sinceBoot(hands);
        const found = await find(hands, sleep);
        if ('state' in found) early = found;
        else sleeping = found;
        return sleeping !== null;
      },
      // Somebody may have woken it, or closed it, since it was looked at.
      intend: (facts) =>
        facts?.asleep?.sequence === asleep.sequence && sleeping ? intentBody(sleeping, word) : null,
    },
    (deed) => {
      const permit = { at: lookedAt, again: () => askAgain(hands, sleep, deed.cause) };
      return wakeUp(hands, deed, { sleeping: sleeping as Sleeping, word, course, permit });
    },
  );
  const performed = await performing.catch((error: unknown): WakeResult => {
    if (error instanceof Undecided) return undecided(error, 'it may be awake');
    if (error instanceof LostDeed && !course.isBorn) {
      return { state: 'failed', text: error.message, hint: error.hint };
    }
    if (!(error instanceof LedgerError) || !course.isBorn) throw error;
    return { state: 'unrecorded', name, error };
  });
  if (performed.state === 'moot') return early ?? { state: 'awake', name };
  if (performed.state !== 'performed') return performed;
  if (performed.value.state !== 'woken') hands.starts.drop(word);
  return performed.value;
}

/** Looks once more, alone on it, whether its sleeper waits there and nobody else has the conversation. */
async function find(
  hands: Hands,
  { asleep, closed, order, kept: whole }: Omit<Sleeping, 'pane'>,
): Promise<Sleeping | WakeResult> {
  const { receipt, paneId, pid } = asleep;
  const { sessions } = await hands.look();
  const itself = sessions.find(({ key }) => key === order.entry.key);
  const isThere = itself !== undefined && !isGone(itself);
  // A server that gave no answer told of no panes, and may have its sleeper still.
  if (isThere && isUnheard(itself)) {
    const text = `its tmux server (pid ${itself.server.pid}) does not answer`;
    return { state: 'failed', text, hint: 'nothing was done; try again when the server answers' };
  }
  if (!isThere) return { state: 'sleeper-gone', receipt, text: 'its session is gone' };
  const pane = itself.panes.find((one) => one.paneId === paneId);
  if (pane === undefined) return { state: 'sleeper-gone', receipt, text: `pane ${paneId} is gone` };
  // What the sleeper itself starts to be woken runs in its pane.
  const isAsleep = itself.evidence.some((one) => one.kind === 'pane' && one.paneId === paneId && one.asleep);
  if (!isAsleep || pane.pid !== pid) {
    return { state: 'sleeper-gone', receipt, text: `something else runs in pane ${paneId}` };
  }
  const hindrance = await hindranceTo(hands, closed, whole, { sessions, isPartial: true });
  if (hindrance !== null) return hindrance as WakeResult;
  const kept = await withPlaces(hands, whole);
  if ('state' in kept) return kept;
  return { asleep, closed, order, kept, pane: { session: identityOf(itself), paneId, pid } };
}

// Whether its sleeper is still there, tmux compares when it replaces it.
async function askAgain(hands: Hands, { closed, kept }: Omit<Sleeping, 'pane'>, own: number) {
  const { sessions } = await hands.look();
  const at = sinceBoot(hands);
  return { at, hindrance: await hindranceTo(hands, closed, kept, { sessions, isPartial: true, own }) };
}
