import { toPressureDocument, toReaperDocument, toSessionDocument } from '../../contract/http/documents.ts';
import { type Input, type OperationName, restOf } from '../../contract/operations.ts';
import { toRollDocument } from '../../contract/roll-document.ts';
import type { Roll } from '../../core/sight/roll.ts';
import { parseDuration } from '../../core/text/duration.ts';
import type { At } from '../../operations/at.ts';
import { RUNS } from '../../operations/runs.ts';
import { sessionNamed } from '../../operations/session-named.ts';
import { readQuery } from '../../schema/read.ts';
import { badRequest, tooMany } from '../http/problem.ts';
import { json, type Reply } from '../http/reply.ts';
import { askerIn } from './asker.ts';
import { atDesk } from './at-desk.ts';
import { type RequestCall, type RouteHandler, recentRound, withWord } from './call.ts';

/** Makes the route of an operation that looks: reads its query, and looks for whoever asks. */
export function looking<N extends OperationName>(
  name: N,
  bounded: (input: Input<N>) => Input<N> = (input) => input,
): RouteHandler {
  const run = RUNS[name] as (input: unknown, at: At) => Promise<object>;
  return async (call, context) => {
    const asker = askerIn(call, context);
    const input = bounded(inputOf(name, call, context.now()));
    const at = atDesk(context, asker.options, asker.check, call.signal);
    return json(await run(input, at), asker.headers);
  };
}

/** Written once for each round, however many ask. */
const written = new WeakMap<Roll, Reply>();
const anyRoll = looking('roll');

export const roll: RouteHandler = async (call, context) => {
  if (call.query.size > 0) return anyRoll(call, context);
  const { roll: seen } = await recentRound(context);
  const reply = written.get(seen) ?? json(toRollDocument(seen));
  written.set(seen, reply);
  return reply;
};

/** A connection is not held for ever: whoever wants to wait longer asks again. */
const PATIENCE = { usualMs: 30_000, mostMs: 600_000 };
const oneWait = looking('wait', ({ timeoutMs = PATIENCE.usualMs, ...wish }) => {
  if (timeoutMs <= PATIENCE.mostMs) return { ...wish, timeoutMs };
  throw badRequest('parameter', `timeoutMs has to be from 1 to ${PATIENCE.mostMs}`);
});

export const wait: RouteHandler = (call, context) =>
  context.atWait(
    async () => oneWait(call, context),
    () => tooMany('waits at once', 5),
  );

export const session: RouteHandler = async ({ words: [word = ''] }, context) => {
  const { roll: seen } = await recentRound(context);
  return json(toSessionDocument(seen, sessionNamed(seen, word)));
};

export const pressure: RouteHandler = async (_, context) => {
  const round = await recentRound(context);
  return json(toPressureDocument(round.now.at, round.pressure));
};

export const reaper: RouteHandler = async (_, context) => {
  const round = await recentRound(context);
  return json(toReaperDocument(round.now.at, round.reaper));
};

function inputOf<N extends OperationName>(name: N, call: RequestCall, now: number): Input<N> {
  const read = readQuery(restOf(name), asMoments(call.query, now));
  if (read.state === 'refused') throw badRequest('parameter', read.text, read.hint);
  return withWord(name, read.value, call);
}

/** A time may be written as so long ago. */
function asMoments(query: URLSearchParams, now: number): URLSearchParams {
  const agoMs = parseDuration(query.get('since') ?? '');
  if (agoMs === null || /^\d+$/.test(query.get('since') ?? '')) return query;
  const moments = new URLSearchParams(query);
  moments.set('since', String(Math.max(0, now - agoMs)));
  return moments;
}
