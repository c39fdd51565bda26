import { broughtAlong, leftBehind } from '../../../core/close/brought-along.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { isShowable, maskWords } from '../../../core/text/mask-secrets.ts';
import type { Moment } from '../../../core/text/moment.ts';
import { putBackConversations } from '../conversations/put-back.ts';
import type { Deed, DeedEnding } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { type Birth, birthBody, keyOf } from '../run-find.ts';
import { endBody, type FirstSight, seeBirth, settleBirth } from '../run-see.ts';
import type { RunWish } from '../run-wish.ts';
import { type Permit, type StartEnd, startSession } from '../start-in.ts';
import type { Trouble } from '../trouble.ts';
import { type AsleepFrom, receiveAsleep, sleeperFor } from './asleep.ts';
import type { PlacedReopen, ReopenResult, ReopenStep } from './order.ts';
import { reopenedOr } from './trouble.ts';

interface Bringing {
  readonly hands: Hands;
  readonly order: PlacedReopen;
  readonly kept: Reopening;
  readonly deed: Deed<ReopenStep>;
  readonly course: ReopenCourse;
  /** Where it is made again asleep. */
  readonly asleep: AsleepFrom | null;
  readonly permit: Permit;
}

/** The name of the session once it is there, for whoever catches what is thrown afterwards. */
export interface ReopenCourse {
  born: string | null;
}

/** What is recorded before it is done. */
export function intentBody(
  { now, order, kept }: { readonly now: Moment; readonly order: PlacedReopen; readonly kept: Reopening },
  name: string,
  run: string,
): JsonObject {
  const { facts } = order.closed;
  return {
    run,
    ...madeFrom(order, kept),
    name,
    server: { socketPath: order.socketPath },
    cwd: kept.cwd,
    argv: maskWords(argvOf(order, kept)),
    isWhole: isShowable(argvOf(order, kept)),
    // Values may be secret; names are not.
    env: Object.keys(kept.given),
    remain: kept.remain,
    agent: kept.agent && { ...kept.agent },
    claims: { ...facts.claims },
    ...broughtAlong(facts, kept.isBeside === true, now),
  };
}

function madeFrom({ closed }: PlacedReopen, { isBeside }: Reopening) {
  const { receipt, facts } = closed;
  // A session that stands is not replaced.
  return { reopens: isBeside ? null : facts.key, receipt: receipt?.body.receipt ?? null };
}

/** Starts it, lays it out as it was, and sees what became of it. */
export async function bringBack(
  bringing: Bringing,
  name: string,
  word: string,
): Promise<DeedEnding<ReopenResult>> {
  const { hands, order, kept, deed, course, asleep } = bringing;
  const begun = { key: null, name };
  const { receipt, facts } = order.closed;
  const returned = await deed.step('put-back', () => putBackConversations(hands, receipt?.body, facts.key));
  const [unreturned] = returned.failed;
  if (unreturned !== undefined) {
    const text = `its conversation could not be put back from its copy: ${unreturned}`;
    const hint = 'nothing was started, and the copy stays; see to the cause, then reopen it again';
    return { session: begun, body: { result: 'failed', text }, value: { state: 'failed', text, hint } };
  }
  const started = await startSession(hands, deed, {
    ...{ wish: wishOf(order, kept, name), word, permit: bringing.permit },
    ...(kept.size && { size: kept.size }),
    instead: asleep && sleeperFor(hands, kept, name, word),
  });
  if (started.state !== 'born') {
    const value = unstarted(started, name);
    const { text } = reopenedOr(value, hands.now()) as Trouble;
    return { session: begun, body: { result: 'failed', text }, value };
  }
  const born = started.birth;
  course.born = born.name;
  const missing = [...kept.missing, ...returned.missing, ...leftBehind(facts)];
  // Also on the session itself, as a hold has it; the ledger has it with the outcome.
  if (broughtAlong(facts, kept.isBeside === true, hands.moment()).held)
    await hands.tmux.markHeld(born.pane.session, hands.now());
  const begins = await seeBirth(hands, born);
  // Where its own program has ended nothing else is started: the session would stand there without it, once more each time.
  const laidOut = hasEnded(begins) ? null : await deed.step('lay-out', () => layOut(bringing, born));
  if (laidOut?.state === 'failed') missing.push(`its windows are not laid out as they were: ${laidOut.text}`);
  const first = laidOut?.state === 'done' ? await seeBirth(hands, born) : begins;
  if (laidOut?.state === 'done') missing.push(...fallen(kept, first));
  const isHeld = kept.remain || asleep !== null;
  const { seen, end } = await settleBirth(hands, deed, born, first, { word, isHeld });
  const key = keyOf(seen.host, born);
  const session = { key, name: born.name };
  const from = madeFrom(order, kept);
  const body = { ...birthBody(born, word), ...from, missing };
  if (hasEnded(seen)) {
    const told = { ...body, ...(end && { end: endBody(end) }), result: 'died' };
    return { session, body: told, value: { state: 'died', name: born.name, end, missing } };
  }
  if (asleep !== null) {
    const intent = { run: word, digests: asleep.digests };
    await receiveAsleep(hands, { cause: deed.cause, body: intent }, born, session);
  }
  const entry = seen.state === 'alive' ? seen.entry : null;
  const value: ReopenResult = {
    ...{ state: 'reopened', key, name: born.name, host: seen.host, entry, reopening: kept, missing },
    ...{ receipt: from.receipt, socketPath: order.socketPath, putBack: returned.putBack },
    isAsleep: asleep !== null,
  };
  return { session, body: { ...body, result: 'done' }, value };
}

function unstarted(started: Exclude<StartEnd, { state: 'born' }>, name: string): ReopenResult {
  if (started.state === 'hindered') return started.by;
  if (started.state === 'name-taken') return { state: 'name-taken', name };
  return { state: 'failed', text: started.text, hint: null };
}

type LaidOut = { readonly state: 'none' | 'done' } | { readonly state: 'failed'; readonly text: string };

async function layOut({ hands, kept }: Bringing, { pane }: Birth): Promise<LaidOut> {
  if (kept.windows.length === 0) return { state: 'none' };
  const laidOut = await hands.tmux.layOut(pane, kept.windows);
  return laidOut.state === 'done' ? laidOut : { state: 'failed', text: laidOut.text };
}

function hasEnded({ state }: FirstSight): boolean {
  return state === 'dead' || state === 'gone';
}

// What a pane of its own runs may end at once, and takes the pane along.
function fallen({ windows }: Reopening, seen: FirstSight): string[] {
  const planned = windows.reduce((sum, { panes }) => sum + panes.length, 0);
  const lacking = seen.state === 'alive' ? planned - seen.entry.panes.length : 0;
  return lacking > 0 ? [`${lacking} of its ${planned} panes ended at once`] : [];
}

function argvOf({ shell }: PlacedReopen, { argv, line }: Reopening): readonly string[] {
  return argv ?? (line === undefined ? [shell] : [shell, '-c', line]);
}

function wishOf(order: PlacedReopen, kept: Reopening, name: string): RunWish {
  const { socketPath, onCollision, closed, caller } = order;
  const { cwd, env, given, agent, remain } = kept;
  const argv = argvOf(order, kept);
  return {
    ...{ socketPath, name, onCollision, cwd, argv, env, given, remain, agent },
    ...(caller && !kept.isClean && { caller }),
    claims: closed.facts.claims,
  };
}
