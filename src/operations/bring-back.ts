import { toReopenDocument, toWakeDocument } from '../contract/close-document.ts';
import type { ReopenDocument, WakeDocument } from '../contract/close-schemas.ts';
import type { Input } from '../contract/operations.ts';
import { callerEnvironment } from '../engine/act/caller-environment.ts';
import type { Hands } from '../engine/act/hands.ts';
import { reopenSession } from '../engine/act/reopen/reopen-session.ts';
import { closedAs, reopenedOr } from '../engine/act/reopen/trouble.ts';
import { wokenOr } from '../engine/act/sleep/wake-order.ts';
import { wakeSession } from '../engine/act/sleep/wake-session.ts';
import type { At } from './at.ts';
import { orFail } from './failure.ts';
import { findOne, type SessionRequest } from './one-session.ts';

export function wake(asked: Input<'wake'>, at: At): Promise<WakeDocument> {
  return at.withHands(async (hands) => {
    const entry = await sleeperNamed(hands, asked);
    const woken = wokenOr(await wakeSession(hands, { entry, argv: at.argv }), at.now());
    return toWakeDocument(entry, orFail(woken));
  });
}

// The receipt that a sleeper shows names its session too.
async function sleeperNamed(
  hands: Hands,
  asked: SessionRequest,
): Promise<{ readonly key: string; readonly name: string }> {
  const { facts } = hands.ledger.facts().folded;
  const asleep = [...facts.values()].find((one) => one.asleep?.receipt === asked.session);
  return asleep ?? (await findOne(hands, asked)).entry;
}

export function reopen(
  { receipt, name, onCollision = 'fail', server, unsealed: isUnsealedEnough = false }: Input<'reopen'>,
  at: At,
): Promise<ReopenDocument> {
  return at.withHands(async (hands) => {
    const closed = orFail(closedAs(hands.ledger.read({ about: receipt }).entries, receipt));
    const socketPath = server === undefined ? null : hands.socketOf(server);
    const { argv, shell } = at;
    const result = await reopenSession(hands, {
      ...{ closed, socketPath, argv, name: name ?? null, onCollision, shell, isUnsealedEnough },
      ...(at.isCallerHere && { caller: callerEnvironment(hands.callerEnv) }),
    });
    return toReopenDocument(orFail(reopenedOr(result, at.now())));
  });
}
