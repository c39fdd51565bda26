import type { SessionEntry } from '../../core/roll.ts';
import { callerIn, sessionAround } from '../../engine/act/complete-inside.ts';
import { Failure } from '../failure.ts';
import { ambiguous } from '../session-failure.ts';
import { requireTmux, takeRoll } from '../take-roll.ts';
import type { OneSession, Told } from './one-session.ts';

const NAME_IT = 'name the session: rollcall complete SESSION';

/** The session that this very process runs in, proven by its ancestors; what its environment says is only a hint. */
export async function findAround({ hands, surroundings }: Told): Promise<OneSession> {
  const { env, pid } = surroundings;
  const said = callerIn(env, pid);
  if (said === null) {
    throw new Failure('usage', 'outside of tmux, complete needs a SESSION', { hint: NAME_IT });
  }
  const caller = { ...said, socketPath: hands.socketOf(said.socketPath) };
  const closer = (sessions: readonly SessionEntry[]) =>
    sessions.filter(
      ({ server, panes }) =>
        server.pid === caller.serverPid && panes.some(({ paneId }) => paneId === caller.paneId),
    );
  const roll = await takeRoll({ ...surroundings, look: hands.look }, [], closer);
  requireTmux(roll);
  const inside = sessionAround(caller, roll, hands.processes.sense());
  switch (inside.state) {
    case 'proven':
      return { entry: inside.entry, roll };
    case 'several':
      throw ambiguous(caller.paneId, inside.entries);
    case 'refused':
      throw new Failure('refused', `cannot tell which session this is: ${inside.text}`, { hint: NAME_IT });
    case 'unknown':
      throw new Failure('failed', `cannot tell which session this is: ${inside.text}`, { hint: NAME_IT });
  }
}
