import { createHash } from 'node:crypto';
import type { CloseDocument } from '../../contract/close-schemas.ts';
import { type Input, type OperationName, restOf } from '../../contract/operations.ts';
import { canonicalJson } from '../../core/ledger/json.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { At } from '../../operations/at.ts';
import { worstEnd } from '../../operations/end.ts';
import { Failure } from '../../operations/failure.ts';
import { RUNS } from '../../operations/runs.ts';
import { type FieldsSchema, readFields } from '../../schema/read.ts';
import { badRequest, HttpProblem, problemOf, tooMany } from '../http/problem.ts';
import { json, problemReply, type Reply } from '../http/reply.ts';
import { atDesk } from './at-desk.ts';
import { type RequestCall, type RouteHandler, roundOf, withWord } from './call.ts';

/** Makes the route of an operation: reads its body, does it once for each key, and tells what came of it. */
export function operating<N extends OperationName>(name: N): RouteHandler {
  const body = restOf(name);
  const run = RUNS[name] as (input: unknown, at: At) => Promise<object>;
  return async (call, context) => {
    const input = inputOf(name, body, call);
    roundOf(context);
    const work = () =>
      context.atWork(
        async () => answered(await run(input, atDesk(context)).catch(asProblem)),
        () => tooMany('actions at once'),
      );
    const key = keyIn(call);
    if (key === null) return work();
    // What was refused is an answer too, and the same one for the same key.
    const asked = createHash('sha256')
      .update(`${call.path}\n${canonicalJson(call.body)}`)
      .digest('hex');
    return context.idempotency.once(key, asked, () => work().catch(asReply));
  };
}

function inputOf<N extends OperationName>(name: N, body: FieldsSchema, call: RequestCall): Input<N> {
  const read = readFields(body, call.body);
  if (read.state === 'refused') throw badRequest('body', read.text, read.hint);
  return withWord(name, read.value, call);
}

/** A close that did not come about is a problem, with the whole report in it. */
function answered(document: object | Pick<CloseDocument, 'sessions'>): Reply {
  const reports = 'sessions' in document ? document.sessions : [];
  const end = worstEnd(reports);
  const report = reports.find(({ exitCode }) => exitCode !== 0);
  if (end === 'done' || report === undefined) return json(document);
  throw problemOf(new Failure(end, report.text, { hint: report.hint ?? undefined }), report);
}

function keyIn({ headers }: RequestCall): string | null {
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

function asProblem(error: unknown): never {
  if (error instanceof Failure) throw problemOf(error);
  if (!(error instanceof LedgerError)) throw error;
  throw new HttpProblem(503, `ledger-${error.code}`, `the ledger: ${error.message}`, {
    hint: error.hint,
    headers: { 'Retry-After': '5' },
  });
}
