import type { Problem, Roll, SessionEntry } from '../core/sight/roll.ts';
import { isServerNamed, serverWord } from '../core/sight/server-named.ts';
import { silentServers } from '../core/sight/silent-servers.ts';
import type { Hands } from '../engine/act/hands.ts';
import { Failure } from './failure.ts';
import { sessionsMeant } from './select-session.ts';

/** Which sessions are asked for, on which servers. */
export interface SoughtSessions {
  readonly words: readonly string[];
  readonly servers: readonly string[] | undefined;
}

/** Looks for the sessions of these words, closed ones too. `isThorough`: with what git says about them. */
export async function lookFor(
  hands: Pick<Hands, 'look' | 'socketOf'>,
  { words, servers = [] }: SoughtSessions,
  { isThorough = false, isWithClosed = true } = {},
): Promise<Roll> {
  const sockets = servers.map((server) => hands.socketOf(server));
  const inspect = (sessions: readonly SessionEntry[]) =>
    words.flatMap((word) => sessionsMeant(sessions, word));
  const roll = await hands.look({
    isWithClosed,
    ...(sockets.length > 0 && { servers: sockets }),
    ...(isThorough && { inspect }),
  });
  requireServers(roll, sockets);
  requireTmux(roll);
  return roll;
}

/** Fails where one of these servers does not run. One that gives no answer does. */
export function requireServers(roll: Roll, servers: readonly string[]): void {
  const missing = servers.find((server) => !isKnown(roll, server));
  // Without tmux no server can be known, and that is the thing to say.
  if (missing === undefined || tmuxMissing(roll) !== null) return;
  throw new Failure('not-found', `no tmux server '${serverWord(missing)}' runs`, {
    hint: 'give the label that tmux -L takes, or the path of its socket; rollcall shows all servers',
  });
}

/** The problem of a machine without tmux: nothing can be seen there, which is not the same as seeing nothing. */
export function tmuxMissing(roll: Roll): Problem | null {
  return roll.problems.find((problem) => problem.code === 'tmux-missing') ?? null;
}

/** Fails with the one thing to do where tmux is not installed. */
export function requireTmux(roll: Roll): void {
  const problem = tmuxMissing(roll);
  if (problem !== null) throw new Failure('failed', problem.text, { hint: problem.hint });
}

function isKnown(roll: Roll, server: string): boolean {
  const known = [
    ...roll.servers.map(({ socketPath }) => socketPath),
    // One that has ended may be where a session was closed.
    ...roll.sessions.map(({ server: { socketPath } }) => socketPath),
    ...silentServers(roll),
  ];
  return known.some((socketPath) => isServerNamed(socketPath, [server]));
}
