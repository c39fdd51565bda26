import { createHash } from 'node:crypto';
import { type ActionBody, type ActionName, requestSchemas } from '../../contract/http/bodies.ts';
import { canonicalJson } from '../../core/ledger/json.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { Hands } from '../../engine/act/hands.ts';
import { readFields } from '../../schema/read.ts';
import { badRequest, HttpProblem, tooMany } from '../http/problem.ts';
import { problemReply, type Reply } from '../http/reply.ts';
import type { Answer, Call } from './call.ts';
import { roundOf } from './call.ts';
import type { Context } from './context.ts';

/** Something that is done with hands: the word of the address, and what the body says. */
export type Act<A extends ActionName> = (
  hands: Hands,
  wish: { readonly word: string; readonly body: ActionBody<A>; readonly context: Context },
) => Promise<Reply>;

/** Makes a route of an action: reads its body, does it once for each key, and tells what came of it. */
export function acting<A extends ActionName>(
  action: A,
  act: Act<A>,
  check?: (body: ActionBody<A>, now: number) => void,
): Answer {
  return async (call, context) => {
    const { words, body: given } = call;
    const [word = ''] = words;
    const body = bodyOf(action, given);
    check?.(body, context.now());
    roundOf(context);
    const work = () =>
      context.atWork(
        () => context.desk.withHands((hands) => act(hands, { word, body, context })).catch(ledgerProblem),
        () => tooMany('actions at once'),
      );
    const key = keyIn(call);
    if (key === null) return work();
    // What was refused is an answer too, and the same one for the same key.
    const asked = createHash('sha256')
      .update(`${call.path}\n${canonicalJson(given)}`)
      .digest('hex');
    return context.idempotency.once(key, asked, () => work().catch(asReply));
  };
}

function bodyOf<A extends ActionName>(action: A, given: unknown): ActionBody<A> {
  const read = readFields(requestSchemas[action], given);
  if (read.state === 'refused') throw badRequest('body', read.text, read.hint);
  return read.value;
}

function keyIn({ headers }: Call): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw badRequest('idempotency-key', 'an Idempotency-Key is one word of at most 200 characters');
  }
  return key;
}

function asReply(error: unknown): Reply {
  if (error instanceof HttpProblem) return problemReply(error);
  throw error;
}

function ledgerProblem(error: unknown): never {
  if (!(error instanceof LedgerError)) throw error;
  throw new HttpProblem(503, `ledger-${error.code}`, `the ledger: ${error.message}`, {
    hint: error.hint,
    headers: { 'Retry-After': '5' },
  });
}
