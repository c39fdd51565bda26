import { toPressureDocument, toReaperDocument, toSessionDocument } from '../../contract/http/documents.ts';
import { ROUTES } from '../../contract/http/routes.ts';
import { toExplainDocument, toRollDocument } from '../../contract/roll-document.ts';
import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import { visible } from '../../core/text/visible.ts';
import { sessionsMeant } from '../../operations/select-session.ts';
import { sessionNamed } from '../../operations/session-named.ts';
import { badRequest, tooMany } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { json } from '../http/reply.ts';
import { askerIn } from './asker.ts';
import type { Answer, Call } from './call.ts';
import { roundOf } from './call.ts';
import type { Context } from './context.ts';

/** Written once for each round, however many ask. */
const written = new WeakMap<Roll, Reply>();

export const roll: Answer = (call, context) => {
  const { query } = call;
  if (flagIn(query, 'fresh')) return freshRoll(call, context);
  const { roll: seen } = roundOf(context);
  if (query.size > 0) return json(toRollDocument({ ...seen, sessions: filtered(seen.sessions, query) }));
  const earlier = written.get(seen);
  if (earlier !== undefined) return earlier;
  const reply = json(toRollDocument(seen));
  written.set(seen, reply);
  return reply;
};

export const session: Answer = ({ words: [word = ''] }, context) => {
  const { roll: seen } = roundOf(context);
  return json(toSessionDocument(seen, sessionNamed(seen, word)));
};

export const evidence: Answer = (call, context) =>
  context.atLook(
    () => explained(call, context),
    () => tooMany('thorough looks at once'),
  );

export const pressure: Answer = (_, context) => {
  const round = roundOf(context);
  return json(toPressureDocument(round.now.at, round.pressure));
};

export const reaper: Answer = (_, context) => {
  const round = roundOf(context);
  return json(toReaperDocument(round.now.at, round.reaper));
};

/** Looks at this moment, as a command would. */
function freshRoll(call: Call, context: Context): Promise<Reply> {
  const { query } = call;
  const look = async () => {
    const asker = askerIn(call, context);
    const seen = await context.desk.look({ isWithClosed: flagIn(query, 'all'), ...asker.options });
    asker.check(seen);
    return json(toRollDocument({ ...seen, sessions: filtered(seen.sessions, query) }), asker.headers);
  };
  return context.atLook(look, () => tooMany('looks at once'));
}

async function explained(call: Call, context: Context): Promise<Reply> {
  const [word = ''] = call.words;
  const asker = askerIn(call, context);
  const inspect = (sessions: readonly SessionEntry[]) => sessionsMeant(sessions, word);
  const seen = await context.desk.look({ inspect, isWithClosed: true, ...asker.options });
  asker.check(seen);
  return json(toExplainDocument(seen, sessionNamed(seen, word)), asker.headers);
}

function flagIn(query: URLSearchParams, name: string): boolean {
  const given = query.get(name);
  if (given === null || given === 'true' || given === 'false') return given === 'true';
  throw badRequest('parameter', `${name} has to be true or false`);
}

function filtered(sessions: readonly SessionEntry[], query: URLSearchParams): SessionEntry[] {
  const lifecycles = choices(query, 'lifecycle');
  const activities = choices(query, 'activity');
  const name = query.get('name');
  return sessions.filter(
    (entry) =>
      (lifecycles === null || lifecycles.includes(entry.lifecycle)) &&
      (activities === null || activities.includes(entry.activity)) &&
      (name === null || visible(entry.name) === visible(name)),
  );
}

function choices(query: URLSearchParams, parameter: 'lifecycle' | 'activity'): readonly string[] | null {
  const given = query.get(parameter)?.split(',') ?? null;
  const known: readonly string[] = ROUTES.roll.query[parameter].values;
  const wrong = given?.find((word) => !known.includes(word));
  if (wrong === undefined) return given;
  throw badRequest(
    'parameter',
    `there is no ${parameter} '${visible(wrong, 60)}'`,
    `it is one of ${known.join(', ')}`,
  );
}
