import type { IncomingHttpHeaders } from 'node:http';
import { type Input, OPERATIONS, type OperationName } from '../../contract/operations.ts';
import { LONGEST_MS } from '../../core/supervision/rhythm.ts';
import type { Round } from '../../core/supervision/round.ts';
import type { Outlet } from '../events/client.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import type { Context } from './context.ts';

/** One request that passed the gate. */
export interface RequestCall {
  /** The words that stand for the parts in braces. */
  readonly words: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Of a POST. */
  readonly body: unknown;
  readonly path: string;
  /** Ends when whoever asked is gone, or the daemon stops. */
  readonly signal: AbortSignal;
}

/** An answer that goes on. */
export interface Stream {
  begin(outlet: Outlet): void;
}

export type RouteHandler = (call: RequestCall, context: Context) => Promise<Reply | Stream> | Reply | Stream;

export function isStream(answer: Reply | Stream): answer is Stream {
  return 'begin' in answer;
}

/** What an operation is given: what was read, and the word that stands in its address. */
export function withWord<N extends OperationName>(
  name: N,
  value: object,
  { words: [given = ''] }: RequestCall,
) {
  const { word } = OPERATIONS[name];
  return { ...value, ...(word !== null && { [word]: given }) } as Input<N>;
}

/** The last round; before the first there is nothing to tell. */
export function roundOf({ desk }: Pick<Context, 'desk'>): Round {
  const round = desk.round();
  if (round !== null) return round;
  throw new HttpProblem(503, 'not-ready', 'the daemon has not looked yet', {
    hint: 'its first round is under way; try again',
    headers: { 'Retry-After': '1' },
  });
}

/** Far more than a round takes, and less than whoever asks waits. */
const PATIENCE_MS = 10_000;

/**
 * A round that is not older than rounds are while somebody asks. Where nothing moves, the last one may be: then another is taken. If
 * that fails, or does not come to its end, the last one tells its own age.
 */
export async function recentRound({ desk, now }: Pick<Context, 'desk' | 'now'>): Promise<Round> {
  const round = roundOf({ desk });
  if (Math.abs(now() - round.now.at) <= LONGEST_MS) return round;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, round);
    const end = (found: Round) => {
      clearTimeout(timer);
      resolve(found);
    };
    desk.lookNow().then(end, () => end(round));
  });
}
