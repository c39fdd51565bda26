import type { ProcessTable } from '../../core/sight/process.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { callerIn, sessionAround } from '../../engine/act/complete-inside.ts';
import type { Hands } from '../../engine/act/hands.ts';
import { Failure } from '../../operations/failure.ts';
import { requireTmux } from '../../operations/look-for.ts';
import type { OneSession } from '../../operations/one-session.ts';
import { ambiguous } from '../../operations/session-named.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { takeRoll } from '../roll/take-roll.ts';

/** What a command needs to find the session that it runs in. */
export interface InsideParts {
  readonly hands: Hands;
  readonly surroundings: Surroundings;
}

/** The session around a command, and the pane of it that the command runs in. */
export interface SessionInside extends OneSession {
  readonly paneId: string;
}

/**
 * Finds the session that this process runs in. Its ancestors prove it; its environment is only a hint. `isThorough`: also
 * asks git about it.
 */
export async function findAround(
  { hands, surroundings }: InsideParts,
  command: string,
  { isThorough = true, hint = `name the session: rollcall ${command} SESSION` } = {},
): Promise<SessionInside> {
  const { env, pid } = surroundings;
  const said = callerIn(env, pid);
  if (said === null) {
    throw new Failure('usage', `outside of tmux, ${command} needs a SESSION`, { hint });
  }
  const caller = { ...said, socketPath: hands.socketOf(said.socketPath) };
  const inspect = (sessions: readonly SessionEntry[]) =>
    sessions.filter(
      ({ server, panes }) =>
        server.pid === caller.serverPid && panes.some(({ paneId }) => paneId === caller.paneId),
    );
  const roll = await takeRoll({ ...surroundings, look: hands.look }, [], isThorough ? inspect : undefined);
  requireTmux(roll);
  const table = hands.processes.sense();
  const inside = sessionAround(caller, roll, table, sharedIn(table, hands));
  switch (inside.state) {
    case 'proven':
      return { entry: inside.entry, roll, paneId: caller.paneId };
    case 'several':
      throw ambiguous(caller.paneId, inside.entries);
    case 'refused':
      throw new Failure('refused', `cannot tell which session this is: ${inside.text}`, { hint });
    case 'unknown':
      throw new Failure('failed', `cannot tell which session this is: ${inside.text}`, { hint });
  }
}

function sharedIn({ byPid }: ProcessTable, { agents, processes }: Hands): (pid: number) => boolean {
  return (pid) => {
    const process = byPid.get(pid);
    if (process === undefined) return false;
    const argv = processes.details([process], { io: false, memory: false, cwd: false }).get(pid)?.argv ?? [];
    return agents.some((agent) => agent.isShared?.(argv) ?? false);
  };
}
