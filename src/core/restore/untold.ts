import type { SessionFacts } from '../ledger/session-facts.ts';
import { isExpected } from '../memory/lost.ts';
import type { Problem, Roll } from '../sight/roll.ts';

/** Why it cannot be told of some sessions whether they are lost: a server that they were on gives no answer, and may be alive. */
export function untoldIn(
  { problems, sessions }: Pick<Roll, 'problems' | 'sessions'>,
  facts: Iterable<SessionFacts>,
): Problem[] {
  const known = new Set(sessions.flatMap(({ key, lifecycle }) => (lifecycle === 'unknown' ? [] : [key])));
  const places = new Set(
    [...facts].flatMap((one) =>
      isExpected(one) && !known.has(one.key) ? [one.origin.place.server.socketPath] : [],
    ),
  );
  return problems.filter(({ socketPath }) => socketPath !== undefined && places.has(socketPath));
}
