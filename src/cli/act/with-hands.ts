import { textsIn } from '../../core/ledger/json-values.ts';
import { visible } from '../../core/visible.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { Recovered } from '../../engine/act/recover.ts';
import { recoverAll } from '../../engine/act/recover.ts';
import { keepingLayouts } from '../../engine/layouts/keeping-layouts.ts';
import { ledgerFailure } from '../ledger/with-ledger.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * Opens everything that changes sessions, brings what an earlier command left behind to its end, and then does the work.
 * What the ledger cannot do ends the command with the reason: without a record nothing is done.
 */
export async function withHands<T>(
  surroundings: Surroundings,
  use: (hands: Hands) => Promise<T>,
): Promise<T> {
  try {
    const hands = await surroundings.hands();
    try {
      for (const one of await recoverAll(hands)) surroundings.stderr.write(`! ${recoveredText(one)}\n`);
      return await keepingLayouts(hands, use);
    } finally {
      hands.ledger.close();
    }
  } catch (error) {
    throw ledgerFailure(error);
  }
}

function recoveredText({ intent, session, body }: Recovered): string {
  const how = body.result === 'done' ? 'it was done' : `it ${body.result}`;
  const told = [...textsIn([body.text ?? null]), ...textsIn(body.missing)];
  const why = told.length === 0 ? '' : `: ${told.join('; ')}`;
  return visible(`an earlier ${intent.action} of '${session.name}' was cut short; ${how}${why}`);
}
