import type { Reopening } from '../../../core/close/reopening.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { textIn } from '../../../core/ledger/json-values.ts';
import { maskWords } from '../../../core/mask-secrets.ts';
import type { Deed, Ending } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { type Birth, birthBody, birthOf, keyOf } from '../run-birth.ts';
import { endBody, endOf, outlastEnd } from '../run-end.ts';
import { findRun } from '../run-find.ts';
import { seeBirth } from '../run-see.ts';
import { type RunWish, toSessionWish } from '../run-wish.ts';
import { Undecided } from '../undecided.ts';
import type { ReopenOrder, ReopenResult, ReopenStep } from './order.ts';

interface Bringing {
  readonly hands: Hands;
  readonly order: ReopenOrder;
  readonly kept: Reopening;
  readonly deed: Deed<ReopenStep>;
  readonly course: Course;
}

/** The name of the session once it is there, for whoever catches what is thrown afterwards. */
export interface Course {
  born: string | null;
}

/** What is recorded before it is done. */
export function intentBody(order: ReopenOrder, kept: Reopening, name: string, run: string): JsonObject {
  const { receipt, facts } = order.closed;
  return {
    run,
    // A session that stands is not replaced.
    reopens: kept.isBeside ? null : facts.key,
    receipt: textIn(receipt?.body.receipt),
    name,
    server: { socketPath: order.socketPath },
    cwd: kept.cwd,
    argv: maskWords(kept.argv ?? [order.shell]),
    agent: kept.agent && { ...kept.agent },
    claims: { ...facts.claims },
  };
}

/** Starts it, lays it out as it was, and sees what became of it. */
export async function bringBack(
  bringing: Bringing,
  name: string,
  word: string,
): Promise<Ending<ReopenResult>> {
  const { hands, order, kept, deed, course } = bringing;
  const begun = { key: null, name };
  const born = await start(bringing, name, word);
  if ('state' in born) {
    const text = 'text' in born ? born.text : 'the name is taken';
    return { session: begun, body: { result: 'failed', text }, value: born };
  }
  course.born = born.name;
  const missing = [...kept.missing];
  const laidOut = await deed.step('lay-out', () =>
    kept.windows.length === 0
      ? ({ state: 'done' } as const)
      : hands.tmux.layOut(born.pane.session, kept.windows),
  );
  if (laidOut.state !== 'done') missing.push(`its windows are not laid out as they were: ${laidOut.text}`);
  const { seen, record } = await outlastEnd(hands, born, await seeBirth(hands, born), word);
  const end = await endOf(hands, born, seen, record);
  await deed.step('settle', async () => {
    if (seen.state !== 'gone') await hands.tmux.letGo(born.pane);
  });
  const key = keyOf(seen.host, born);
  const session = { key, name: born.name };
  const { reopens, receipt } = intentBody(order, kept, name, word);
  const body = { ...birthBody(born, word), reopens: reopens ?? null, receipt: receipt ?? null, missing };
  if (seen.state === 'dead' || seen.state === 'gone') {
    const told = end && { end: endBody(end) };
    return {
      session,
      body: { ...body, ...told, result: 'died' },
      value: { state: 'died', name: born.name, end },
    };
  }
  const entry = seen.state === 'alive' ? seen.entry : null;
  const value: ReopenResult = {
    ...{ state: 'reopened', key, name: born.name, host: seen.host, entry, reopening: kept, missing },
    receipt: textIn(receipt),
  };
  return { session, body: { ...body, result: 'done' }, value };
}

async function start(
  { hands, order, kept, deed }: Bringing,
  name: string,
  word: string,
): Promise<Birth | Extract<ReopenResult, { state: 'failed' | 'name-taken' }>> {
  const wish = toSessionWish(wishOf(order, kept, name), name, word);
  const started = await deed.step('start', () =>
    hands.tmux.startSession(order.socketPath, { ...wish, ...(kept.size && { size: kept.size }) }),
  );
  if (started.state === 'name-taken') return { state: 'name-taken', name };
  if (started.state === 'failed') {
    // No answer is not a no: the session may stand there all the same.
    const roll = await hands.look();
    const found = await findRun(hands, roll, { socketPath: order.socketPath, word });
    if (found.state === 'found') return found.birth;
    if (found.state !== 'absent') throw new Undecided(started.text);
    return { state: 'failed', text: started.text, hint: null };
  }
  return birthOf(hands, started);
}

function wishOf(
  { socketPath, onCollision, closed, shell }: ReopenOrder,
  kept: Reopening,
  name: string,
): RunWish {
  const { cwd, env, agent } = kept;
  const argv = kept.argv ?? [shell];
  return { socketPath, name, onCollision, cwd, argv, env, claims: closed.facts.claims, remain: false, agent };
}
