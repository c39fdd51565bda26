import { type ClosingBody, readClosing } from '../../../core/close/bodies.ts';
import { NOTHING_KEPT } from '../../../core/close/kept-document.ts';
import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import { record, serverIn, tellEnded } from '../close/recover-receipt.ts';
import type { LeftIntent, Recovery } from '../deed.ts';
import { factsOf, type Hands } from '../hands.ts';
import { paneNow } from './hold-pane.ts';
import { awaitPeople, findSleeper } from './sleeper.ts';

/**
 * What became of a hibernation whose actor was stopped. Where the sleeper waits, only its receipt is missing. Where the agent
 * has left, or its session is gone, there is a receipt to start it from, and its dead pane stays. Where it lives, it stays.
 */
export async function recoverHibernate(
  hands: Hands,
  intent: LeftIntent,
  roll: Roll,
): Promise<Recovery | null> {
  const { session, bootId, body } = intent;
  const { key } = session;
  if (key === null) return null;
  const facts = factsOf(hands, { key });
  const closing = readClosing(body);
  const receipt = closing.archive ?? '';
  const interrupted = (text: string) => ({ session, body: { result: 'interrupted', text } });
  if (facts?.asleep?.receipt === receipt) return { session, body: { result: 'done' } };
  // Somebody put it to sleep again before this was found out.
  if (facts?.asleep !== undefined) return interrupted(`${STOPPED}; it sleeps since`);
  const { sleep, sessionId, createdAtSeconds } = closing;
  const server = serverIn(closing);
  if (server === null || sleep === null) return interrupted(STOPPED);
  const claims = facts?.claims ?? null;
  const isOtherBoot = bootId !== roll.host.bootId;
  const where = isOtherBoot ? null : whereaboutsOf({ key, server }, roll, hands.processes.sense());
  if (where?.state === 'unknown') return null;
  const elsewhere = isOtherBoot ? null : paneNow(roll, server, sleep.paneId);
  if (where?.state !== 'there') {
    if (elsewhere !== null && !(await releaseTo(hands, intent, sleep, elsewhere))) return null;
    await tellEnded(hands, intent, claims, { text: STOPPED, isOtherBoot });
    return interrupted(`${STOPPED}; its session is gone`);
  }
  const target = { server, sessionId, createdAtSeconds };
  const found = await findSleeper(hands, { key, target }, { paneId: sleep.paneId, receipt });
  if (found.state === 'unknown') return null;
  if (found.state !== 'found') {
    const held = found.state === 'other' ? found : elsewhere;
    if (held !== null && !(await releaseTo(hands, intent, sleep, held))) return null;
    await tellEnded(hands, intent, claims, { text: STOPPED });
    return interrupted(`${STOPPED}; it still stands`);
  }
  const { sleeper } = found;
  const unawaited = await awaitPeople(hands, target, sleeper);
  const notes = ['whoever put it to sleep was stopped before it could say so; it sleeps', ...unawaited];
  const slept = { ...sleeper, freedBytes: sleep.bytes, isPaneKept: sleep.isPaneKept };
  const told = { result: 'asleep', claims, notes, rungs: [], survivors: [], sleeper: slept } as const;
  await record(hands, intent, told, {});
  return { session, body: { result: 'done' } };
}

const STOPPED = 'whoever put it to sleep was stopped';

/**
 * Gives the pane back where the agent's process is still the one in it, as it was before; what somebody has started in it since is
 * theirs. Nothing is put there: whoever came meanwhile may read what it shows. False where tmux gives no answer.
 */
async function releaseTo(
  hands: Hands,
  { body }: LeftIntent,
  sleep: NonNullable<ClosingBody['sleep']>,
  { pane, isDead }: { readonly pane: PaneTarget; readonly isDead: boolean },
): Promise<boolean> {
  const archive = hands.archive.read(readClosing(body).archive ?? '');
  const { panes } = archive.state === 'read' ? archive.document : NOTHING_KEPT;
  if (pane.pid !== panes.find(({ paneId }) => paneId === pane.paneId)?.pid) return true;
  const before = sleep.end;
  // As long as that is not done its end would not be written down. Where it has ended, tmux has nothing to write any more.
  const released = await hands.tmux.setEnd(pane, isDead && 'run' in before ? { remain: null } : before);
  return released.state !== 'failed';
}
