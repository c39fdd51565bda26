import { toLedgerPage } from '../../contract/http/documents.ts';
import { toStatusDocument, type Weighed } from '../../contract/status-document.ts';
import { LedgerError } from '../../core/ledger/ledger-error.ts';
import type { Problem, Roll } from '../../core/sight/roll.ts';
import { parseDuration } from '../../core/text/written-duration.ts';
import { standingOf } from '../../engine/daemon/standing-observer.ts';
import { badRequest } from '../http/problem.ts';
import { json } from '../http/reply.ts';
import { EXPOSITION_TYPE, exposition } from '../metrics/registry.ts';
import type { Answer } from './call.ts';
import { roundOf } from './call.ts';
import type { Context } from './context.ts';

const LARGEST = 5;
const LIMIT = { usual: 100, most: 500 };

export const ledger: Answer = ({ query }, { tail, now }) => {
  const limit = wholeNumber(query, 'limit') ?? LIMIT.usual;
  if (limit < 1 || limit > LIMIT.most) {
    throw badRequest('parameter', `limit has to be from 1 to ${LIMIT.most}`);
  }
  const wish = { limit, after: wholeNumber(query, 'after'), since: sinceIn(query, now()) };
  tail.follow();
  const { entries, next } = tail.page(wish);
  return json(toLedgerPage(entries, next, tail));
};

export const status: Answer = (_, context) => {
  const round = roundOf(context);
  const { roll, pressure } = round;
  const { place, desk } = context;
  const { ledger: found, problem } = ledgerIn(context);
  return json(
    toStatusDocument({
      roll: { ...roll, problems: [...roll.problems, ...(problem === null ? [] : [problem])] },
      daemon: {
        ...{ running: true, pid: process.pid, url: place.url, socket: place.socketPath },
        ...{ tokenFile: place.tokenFile, since: desk.startedAt },
      },
      supervision: standingOf(round, process.pid, context.missedHints()),
      pressure,
      largest: largestOf(roll),
      due: round.settle.due,
      ledger: found,
    }),
  );
};

export const metrics: Answer = (_, { metrics: families, tail }) => {
  try {
    tail.follow();
  } catch (error) {
    // The numbers of everything else are worth having all the same.
    if (!(error instanceof LedgerError)) throw error;
  }
  return { status: 200, type: EXPOSITION_TYPE, body: Buffer.from(exposition(families)) };
};

function ledgerIn({ tail }: Context): {
  readonly ledger: Parameters<typeof toStatusDocument>[0]['ledger'];
  readonly problem: Problem | null;
} {
  try {
    tail.follow();
    const { head, last, openIntents, damage } = tail;
    return {
      ledger: { entries: head.sequence, last, openIntents, isDamaged: damage !== null },
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const { message, hint } = error;
    return { ledger: null, problem: { code: 'ledger-unread', text: `the ledger: ${message}`, hint } };
  }
}

function largestOf({ sessions }: Roll): Weighed[] {
  return sessions
    .filter((entry): entry is Weighed => entry.memoryBytes !== null)
    .toSorted((a, b) => b.memoryBytes - a.memoryBytes)
    .slice(0, LARGEST);
}

function wholeNumber(query: URLSearchParams, name: string): number | null {
  const given = query.get(name);
  if (given === null) return null;
  if (!/^\d{1,15}$/.test(given)) throw badRequest('parameter', `${name} has to be a whole number`);
  return Number(given);
}

function sinceIn(query: URLSearchParams, now: number): number | null {
  const given = query.get('since');
  if (given === null) return null;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  const agoMs = parseDuration(given);
  if (agoMs !== null) return now - agoMs;
  throw badRequest('parameter', 'since has to be epoch milliseconds, or a time span such as 2h or 7d');
}
