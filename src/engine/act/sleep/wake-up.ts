import type { JsonObject } from '../../../core/ledger/json.ts';
import { endWords } from '../../../core/memory/ended.ts';
import { isShowable, maskWords } from '../../../core/text/mask-secrets.ts';
import { putBackConversations } from '../conversations/put-back.ts';
import { type Deed, type DeedEnding, Undecided } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { keepStart } from '../keep-start.ts';
import type { ReopenResult } from '../reopen/order.ts';
import { reopenedOr } from '../reopen/trouble.ts';
import { type Birth, birthBody, birthOf } from '../run-find.ts';
import { endBody, endOf, seeBirth } from '../run-see.ts';
import { type RunWish, toSessionWish } from '../run-wish.ts';
import { hinderedBy, type StartTask } from '../start-in.ts';
import type { Trouble } from '../trouble.ts';
import { findSleeper, sleepAgain } from './sleeper.ts';
import type { Sleeping, WakeResult, WakeStep } from './wake-order.ts';

/** Whether it was started, for whoever catches what is thrown afterwards. */
export interface WakeCourse {
  isBorn: boolean;
}

/** What is recorded before it is done. */
export function intentBody({ asleep, kept, pane, closed }: Sleeping, run: string): JsonObject {
  const argv = kept.argv ?? [];
  const { server, sessionId, createdAtSeconds } = pane.session;
  return {
    ...{ run, receipt: asleep.receipt, paneId: pane.paneId, pid: pane.pid },
    ...{ server: { ...server }, sessionId, createdAtSeconds, cwd: kept.cwd },
    remain: kept.remain || asleep.isPaneKept,
    ...{ argv: maskWords(argv), isWhole: isShowable(argv) },
    // Values may be secret; names are not.
    env: Object.keys(kept.given),
    agent: kept.agent && { ...kept.agent },
    claims: { ...closed.facts.claims },
  };
}

interface Waking extends Required<Omit<StartTask, 'wish'>> {
  readonly sleeping: Sleeping;
  readonly course: WakeCourse;
}

/** Starts the agent in the place of its sleeper, and sees what became of it. */
export async function wakeUp(
  hands: Hands,
  deed: Deed<WakeStep>,
  { sleeping, word, course, permit }: Waking,
): Promise<DeedEnding<WakeResult>> {
  const { order, closed, kept, asleep } = sleeping;
  const { key, name } = order.entry;
  const session = { key, name };
  const failed = (text: string, hint: string | null): DeedEnding<WakeResult> => ({
    ...{ session, body: { result: 'failed', text }, value: { state: 'failed', text, hint } },
  });
  const returned = await deed.step('put-back', () => putBackConversations(hands, closed.receipt?.body, key));
  const [unreturned] = returned.failed;
  if (unreturned !== undefined) {
    const text = `its conversation could not be put back from its copy: ${unreturned}`;
    return failed(text, 'it sleeps on, and the copy stays; see to the cause, then wake it again');
  }
  const born = await start(hands, deed, { sleeping, word, permit });
  if (typeof born === 'string') return failed(born, 'it sleeps on');
  if ('state' in born) {
    const { text } = reopenedOr(born, hands.now()) as Trouble;
    return { session, body: { result: 'failed', text }, value: born as WakeResult };
  }
  course.isBorn = true;
  const seen = await seeBirth(hands, born);
  const body = { ...birthBody(born, word), receipt: asleep.receipt };
  if (seen.state === 'dead') {
    const end = await endOf(hands, born, { seen, record: null }, word);
    // What it printed may be secret, and a sleeper shows what it says to everybody.
    const text = `its program ${end === null ? 'ended' : endWords(end)}`;
    const sleeper = await deed.step('sleep-again', () => sleepAgain(hands, sleeping, born.pane, text));
    hands.ends.drop(word);
    const told = { ...(end && { end: endBody(end) }), ...(sleeper && { sleeper: { ...sleeper } }) };
    const value: WakeResult = { state: 'sleeps-on', end, text };
    return { session, body: { ...body, ...told, result: 'died', text }, value };
  }
  if (seen.state === 'gone') return failed('its session went away', `rollcall reopen ${asleep.receipt}`);
  await deed.step('settle', async () => {
    const isKept = kept.remain || asleep.isPaneKept;
    if (!isKept) await hands.tmux.setEnd(born.pane, { run: word, isKept });
    await hands.tmux.enterOnAttach(born.pane, false);
  });
  const entry = seen.state === 'alive' ? seen.entry : null;
  const missing = [...kept.missing, ...returned.missing];
  const { socketPath } = born.pane.session.server;
  const value: WakeResult = {
    ...{ state: 'woken', key, name, host: seen.host, entry, reopening: kept, missing },
    ...{ receipt: asleep.receipt, socketPath, putBack: returned.putBack },
  };
  return { session, body: { ...body, missing, result: 'done' }, value };
}

/** A text where it was not started, and why where it may not be started any more. */
async function start(
  hands: Hands,
  deed: Deed<WakeStep>,
  { sleeping, word, permit }: Omit<Waking, 'course'>,
): Promise<Birth | ReopenResult | string> {
  const { pane, kept, closed, order, asleep } = sleeping;
  const { cwd, env, given, agent } = kept;
  // Whoever puts it to sleep again finds there that its pane stays.
  const remain = kept.remain || asleep.isPaneKept;
  const wish: RunWish = {
    ...{ socketPath: pane.session.server.socketPath, name: order.entry.name, onCollision: 'fail' },
    // The environment is what its session gives to every new pane: what it was started with.
    ...{ cwd, argv: kept.argv ?? [], env, given, remain, agent, claims: closed.facts.claims },
  };
  const unkept = await deed.step('keep', () => keepStart(hands, wish, word));
  if (unkept !== null) return unkept;
  const { name: _, ...inPane } = toSessionWish(wish, '', word);
  // The pane is kept until it was seen whether the agent lives.
  const started = await deed.step(
    'start',
    async () =>
      (await hinderedBy(hands, deed, permit)) ?? hands.tmux.startInPane(pane, { ...inPane, isKept: true }),
  );
  if (started.state === 'started') return birthOf(hands, started);
  if (started.state === 'hindered') return started.by;
  if (started.state !== 'failed') return started.text;
  // No answer is not a no: it may run there all the same.
  const subject = { key: order.entry.key, target: pane.session };
  const found = await findSleeper(hands, subject, { paneId: asleep.paneId, receipt: word });
  if (found.state === 'unknown') throw new Undecided(started.text);
  if (found.state !== 'found') return started.text;
  return { name: order.entry.name, pane: { ...pane, pid: found.sleeper.pid } };
}
