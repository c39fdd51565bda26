import { toActedDocument } from '../../contract/acted-document.ts';
import type { ActedDocument } from '../../contract/acted-schema.ts';
import type { ActionBody } from '../../contract/http/bodies.ts';
import { isGone, type Roll, type SessionEntry } from '../../core/roll.ts';
import { cancelCompletion, completeSession } from '../../engine/act/complete-session.ts';
import type { Declared } from '../../engine/act/declare.ts';
import * as standing from '../../engine/act/declare-standing.ts';
import type { Hands } from '../../engine/act/hands.ts';
import { isTrouble, type Settled, settledOr, type Trouble } from '../../engine/act/trouble.ts';
import { badRequest, HttpProblem, problemOf } from '../http/problem.ts';
import { json, type Reply } from '../http/reply.ts';
import { acting } from './acting.ts';
import { sessionIn } from './looking.ts';

type Result = ActedDocument['result'];

/** What is said where something was declared just now, and where it held already. */
interface Said {
  readonly now: Result;
  readonly already: Result;
}

const LONGEST_MS = 3650 * 86_400_000;

export const hold = acting('hold', async (hands, { word, body }) => {
  const found = await find(hands, word);
  const declared = await standing.hold(hands, found.entry, body.reason ?? null);
  return answer(hands, found, settled(hands, declared), { now: 'held', already: 'already-held' });
});

export const unhold = acting('unhold', async (hands, { word }) => {
  const found = await find(hands, word);
  const declared = await standing.unhold(hands, found.entry);
  return answer(hands, found, settled(hands, declared), { now: 'unheld', already: 'not-held' });
});

export const retain = acting(
  'retain',
  async (hands, { word, body }) => {
    const found = await find(hands, word);
    if (body.release) {
      const released = await standing.release(hands, found.entry);
      return answer(hands, found, settled(hands, released), { now: 'released', already: 'not-retained' });
    }
    const { until, forMs = 0, reason = null } = body;
    const keeping = until === undefined ? { forMs, reason } : { until, reason };
    const declared = await standing.retain(hands, found.entry, keeping);
    return answer(hands, found, settled(hands, declared), { now: 'retained', already: 'already-retained' });
  },
  checkRetain,
);

export const complete = acting(
  'complete',
  async (hands, { word, body, context }) => {
    const found = await find(hands, word, { isThorough: !body.cancel });
    if (body.cancel) {
      const taken = settled(hands, await cancelCompletion(hands, found.entry));
      return answer(hands, found, taken, { now: 'cancelled', already: 'not-completed' });
    }
    const declared = await completeSession(hands, context.policies, found.entry, {
      ...{ outcome: body.outcome ?? 'done', task: body.task ?? null, evidence: body.evidence ?? [] },
      fromPane: null,
    });
    return answer(hands, found, orProblem(declared), { now: 'completed', already: 'already-completed' });
  },
  ({ cancel: isCancelled, outcome, task, evidence }) => {
    if (isCancelled && (outcome ?? task ?? evidence) !== undefined) {
      throw badRequest('body', 'cancel goes with no other field');
    }
  },
);

interface Found {
  readonly entry: SessionEntry;
  readonly roll: Roll;
}

/** The session of this key, alive, by a look of this moment. */
async function find(hands: Hands, key: string, { isThorough = false } = {}): Promise<Found> {
  const closer = (sessions: readonly SessionEntry[]) => sessions.filter((entry) => entry.key === key);
  const roll = await hands.look(isThorough ? { closer } : {});
  const entry = sessionIn(roll, key);
  if (!isGone(entry)) return { entry, roll };
  throw new HttpProblem(404, 'not-found', `session '${entry.name}' is gone`, {
    details: entry.reasons.slice(0, 1).map(({ text }) => text),
    hint: '/v1/ledger tells what was last known of it',
  });
}

/** The session as it is afterwards. */
async function answer(
  hands: Hands,
  { entry, roll }: Found,
  { state }: { readonly state: string },
  { now, already }: Said,
): Promise<Reply> {
  const after = await hands.look({ servers: [entry.server.socketPath] });
  const fresh = after.sessions.find(({ key }) => key === entry.key) ?? entry;
  return json(toActedDocument(state === 'declared' ? now : already, fresh, roll.host));
}

function settled<R>(hands: Hands, declared: Declared<R>): Settled<R> {
  return orProblem(settledOr(declared, hands.now()));
}

function orProblem<T extends object>(result: T | Trouble): T {
  if (isTrouble(result)) throw problemOf(result);
  return result;
}

function checkRetain({ forMs, until, release, reason }: ActionBody<'retain'>, now: number): void {
  if (release) {
    if ((forMs ?? until ?? reason) === undefined) return;
    throw badRequest('body', 'release goes with no other field');
  }
  if ((forMs === undefined) === (until === undefined)) {
    throw badRequest('body', 'retain needs one of forMs and until, or release');
  }
  if (until === undefined) return;
  if (until <= now) throw badRequest('body', 'until is over already', 'to keep it no longer, send release');
  if (until - now > LONGEST_MS) throw badRequest('body', 'until is too far away', 'ten years are the most');
}
