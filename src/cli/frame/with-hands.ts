import { textsIn } from '../../core/ledger/json.ts';
import { visible } from '../../core/text/visible.ts';
import type { Hands } from '../../engine/act/hands.ts';
import type { Recovered } from '../../engine/act/recover.ts';
import * as operations from '../../operations/with-hands.ts';
import type { Surroundings } from './surroundings.ts';

/** Does some work with everything that changes sessions, and reports what an earlier command left behind. */
export function withHands<T>(surroundings: Surroundings, use: (hands: Hands) => Promise<T>): Promise<T> {
  const { hands, stderr } = surroundings;
  return operations.withHands(hands, use, (one) => stderr.write(`! ${recoveredText(one)}\n`));
}

function recoveredText({ intent, session, body }: Recovered): string {
  const how = body.result === 'done' ? 'it was done' : `it ${body.result}`;
  const told = [...textsIn([body.text ?? null]), ...textsIn(body.missing)];
  const why = told.length === 0 ? '' : `: ${told.join('; ')}`;
  return visible(`an earlier ${intent.action} of '${session.name}' was cut short; ${how}${why}`);
}
