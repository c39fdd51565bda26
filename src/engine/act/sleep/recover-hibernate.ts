import { type ClosingBody, readClosing } from '../../../core/close/bodies.ts';
import { agentsIn } from '../../../core/close/ended.ts';
import { NOTHING_KEPT } from '../../../core/close/kept-document.ts';
import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import type { Sleeper } from '../../../core/sleep/asleep.ts';
import type { PaneTarget, SetAside } from '../../../ports/actuator.ts';
import { keepLastScreens } from '../close/archive-session.ts';
import { lookAt, type Subject } from '../close/look-at.ts';
import { goneOf } from '../close/processes.ts';
import { record, serverIn, tellEnded } from '../close/recover-receipt.ts';
import type { LeftIntent, Recovery } from '../deed.ts';
import { factsOf, type Hands } from '../hands.ts';
import { awaitPeople, findSleeper, sleeperOf, sleeperWish, wasJustNow } from './sleeper.ts';

/**
 * What became of a hibernation whose actor was stopped. Where the sleeper waits, only its receipt is missing. Where the agent
 * has left and its pane is dead, the sleeper is put there now. Where the agent lives, it stays. Where the session is gone,
 * it is lost, and there is a receipt to make it from.
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
  if (facts?.asleep !== undefined) return interrupted('whoever put it to sleep was stopped; it sleeps since');
  const { sleep, sessionId, createdAtSeconds } = closing;
  const server = serverIn(closing);
  if (server === null || sleep === null) return interrupted('whoever put it to sleep was stopped');
  const claims = facts?.claims ?? null;
  const isOtherBoot = bootId !== roll.host.bootId;
  const where = isOtherBoot ? null : whereaboutsOf({ key, server }, roll, hands.processes.sense());
  if (where?.state === 'unknown') return null;
  if (where?.state !== 'there') {
    await tellEnded(hands, intent, claims, { isOtherBoot });
    return interrupted('whoever put it to sleep was stopped; its session is gone');
  }
  const target = { server, sessionId, createdAtSeconds };
  const found = await findSleeper(hands, { key, target }, { paneId: sleep.paneId, receipt });
  if (found.state === 'unknown') return null;
  const put = found.state === 'other' ? await putOrLeave(hands, intent, sleep, found) : null;
  const sleeper = found.state === 'found' ? found.sleeper : put;
  if (sleeper === 'unknown') return null;
  if (sleeper === null) {
    await tellEnded(hands, intent, claims);
    return interrupted('whoever put it to sleep was stopped; it still stands');
  }
  const unawaited = await awaitPeople(hands, target, sleeper);
  const notes = ['whoever put it to sleep was stopped before it could say so; it sleeps', ...unawaited];
  const slept = { ...sleeper, freedBytes: sleep.bytes, isPaneKept: sleep.isPaneKept };
  const told = { result: 'asleep', claims, notes, rungs: [], survivors: [], sleeper: slept } as const;
  await record(hands, intent, told, {});
  return { session, body: { result: 'done' } };
}

type Sleep = NonNullable<ClosingBody['sleep']>;

/** Puts the sleeper into a pane whose agent has left and which is dead. Null where the pane is left as it is. */
async function putOrLeave(
  hands: Hands,
  { session, body, at }: LeftIntent,
  sleep: Sleep,
  { pane, isDead }: { readonly pane: PaneTarget; readonly isDead: boolean },
): Promise<Sleeper | 'unknown' | null> {
  const receipt = readClosing(body).archive ?? '';
  const archive = hands.archive.read(receipt);
  const document = archive.state === 'read' ? archive.document : NOTHING_KEPT;
  // Later than that somebody may have gone on with the agent, and it left on their word.
  const isRecent = wasJustNow(hands, at);
  const agents = agentsIn(document, [pane.paneId]);
  const hasLeft = agents.length > 0 && goneOf(hands, agents).length === agents.length;
  // The process that the pane had when it was archived: a pane that somebody used since is theirs.
  const isItsOwn = pane.pid === document.panes.find(({ paneId }) => paneId === pane.paneId)?.pid;
  // Whatever somebody started in the pane since is theirs, and so is what becomes of it.
  if (!isItsOwn) return null;
  if (!hasLeft || !isDead || !isRecent) {
    // As long as that is not done its end would not be written down. Where it has ended, tmux has nothing to write any more.
    const before = sleep.end;
    const released = await hands.tmux.setEnd(pane, isDead && 'run' in before ? { remain: null } : before);
    return released.state === 'failed' ? 'unknown' : null;
  }
  const key = session.key ?? '';
  const claims = factsOf(hands, { key })?.claims ?? null;
  const despite = new Set(readClosing(body).despite);
  const stood = await hands.tmux.stance(pane.session);
  if (stood.state !== 'seen') return 'unknown';
  // Whoever came meanwhile may read what the agent left: later, or not at all.
  const subject = { key, name: session.name, target: pane.session };
  if (await isPeoples(hands, subject, despite)) return 'unknown';
  const kept = { panes: [pane], archiveId: receipt, digests: new Map() };
  await keepLastScreens(hands, { target: pane.session }, kept);
  const sign = { ...sleep, receipt, session: session.name, at: hands.now() };
  const put = await hands.tmux.startInPane(pane, sleeperWish(hands, sign, claims), {
    stance: stood.stance,
    aside: new Set(SET_ASIDE.filter((code) => despite.has(code))),
  });
  if (put.state === 'started') return sleeperOf(hands, put);
  if (put.state !== 'failed') return 'unknown';
  // No answer is not a no: the sleeper may be there all the same.
  const found = await findSleeper(hands, { key, target: pane.session }, { paneId: pane.paneId, receipt });
  if (found.state === 'unknown') return 'unknown';
  return found.state === 'found' ? found.sleeper : null;
}

/** What whoever asked for it may have set aside. */
const SET_ASIDE = ['attached', 'held'] as const satisfies readonly SetAside[];
const PEOPLE: readonly string[] = ['attached', 'recent-input'];

/** Whether somebody is in it, or was just now; also where that cannot be told. */
async function isPeoples(hands: Hands, subject: Subject, despite: ReadonlySet<string>): Promise<boolean> {
  const seen = await lookAt(hands, subject, 'briefly');
  if (seen.state !== 'there') return true;
  return seen.entry.protections.some(({ code }) => PEOPLE.includes(code) && !despite.has(code));
}
