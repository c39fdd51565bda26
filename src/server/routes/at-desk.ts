import type { StatusFacts } from '../../contract/status-document.ts';
import type { Roll } from '../../core/sight/roll.ts';
import { isServerNamed } from '../../core/sight/server-named.ts';
import { standingOf } from '../../engine/daemon/standing-observer.ts';
import type { LookOptions } from '../../engine/look/look.ts';
import type { At, LogPage, LogWish } from '../../operations/at.ts';
import { readLog } from '../../operations/log.ts';
import { requireServers } from '../../operations/look-for.ts';
import { heldIn } from '../../operations/status.ts';
import { badRequest, tooMany } from '../http/problem.ts';
import { recentRound } from './call.ts';
import type { Context } from './context.ts';

/** Who asked, for whoever waits for the lock of the same session. */
const ARGV = ['rollcall', 'up'];
const PAGE = { usual: 100, most: 500 };

/** An operation that the daemon does for whoever asks it. */
export function atDesk(
  context: Context,
  options: Pick<LookOptions, 'asker'> = {},
  check: (roll: Roll) => void = () => {},
  signal?: AbortSignal,
): At {
  const { desk, now, policies, shell, atLook, instruments } = context;
  return {
    now,
    policies,
    shell,
    argv: ARGV,
    cwd: '/',
    isCallerHere: false,
    isBrief: false,
    ...(signal && { signal }),
    socketOf: (word = 'default') => context.socketOf(word),
    async look({ mayBeEarlier = false, mayBeShared = false, ...wish } = {}) {
      if (mayBeEarlier) return (await recentRound(context)).roll;
      const isForAll = wish.isWithClosed && wish.servers === undefined && options.asker === undefined;
      if (mayBeShared && isForAll) return context.lookShared();
      const seen = await atLook(
        () => desk.look({ ...wish, ...options }),
        () => tooMany('looks at once'),
      );
      check(seen);
      return seen;
    },
    readLog: async (wish) => pageOf(context, wish),
    seeMachine: (servers) => machineOf(context, servers),
    entries: async () => desk.ledger.read().entries,
    ...instruments,
    doctor: async () => {
      const { gather } = await instruments.doctor();
      return {
        gather: (onStep) =>
          atLook(
            () => gather(onStep),
            () => tooMany('looks at once'),
          ),
      };
    },
    withHands: (work) => desk.withHands(work),
  };
}

/** What is asked for again and again comes from the tail that is kept; everything about one session from the ledger. */
function pageOf({ desk, tail }: Context, { limit = PAGE.usual, ...wish }: LogWish): LogPage {
  if (limit > PAGE.most) throw badRequest('parameter', `limit has to be from 1 to ${PAGE.most}`);
  if (wish.session !== undefined) return readLog(desk.ledger, { ...wish, limit });
  tail.follow();
  const { head, damage } = tail;
  const page = tail.page({ limit, after: wish.after ?? null, since: wish.since ?? null });
  return { ...page, head, damage, isEmpty: head.sequence === 0 };
}

async function machineOf(context: Context, servers: readonly string[]): Promise<StatusFacts> {
  const round = await recentRound(context);
  const { roll, pressure } = round;
  requireServers(roll, servers);
  const sessions =
    servers.length === 0
      ? roll.sessions
      : roll.sessions.filter(({ server }) => isServerNamed(server.socketPath, servers));
  const { place, desk, tail } = context;
  const held = await heldIn(() => {
    tail.follow();
    const { head, last, openIntents, damage } = tail;
    return { entries: head.sequence, last, openIntents, isDamaged: damage !== null };
  });
  return {
    roll: { ...roll, sessions, problems: [...roll.problems, ...held.problems] },
    daemon: {
      running: true,
      pid: process.pid,
      url: place.url,
      socket: place.socketPath,
      tokenFile: place.tokenFile,
      since: desk.startedAt,
    },
    supervision: standingOf(round, { pid: process.pid }, context.missedHints()),
    pressure,
    due: round.settle.due,
    ledger: held.ledger,
  };
}
