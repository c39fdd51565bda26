import { resolve } from 'node:path';
import type { Problem, Roll } from '../core/roll.ts';
import { isServerNamed, serverWord } from '../core/server-named.ts';
import type { Closer } from '../engine/look.ts';
import { Failure } from './failure.ts';
import { silentServers } from './silent-servers.ts';
import type { Surroundings } from './surroundings.ts';

/** Looks once, at the servers that were named or at all of them, and adds what config has to say. */
export async function takeRoll(
  surroundings: Surroundings,
  servers: readonly string[],
  closer?: Closer,
  { isWithClosed = false } = {},
): Promise<Roll> {
  const { notices } = surroundings.config;
  const roll = await surroundings.look({
    ...(servers.length > 0 ? { servers } : {}),
    ...(closer && { closer }),
    ...(isWithClosed && { isWithClosed }),
  });
  requireServers(roll, servers);
  return { ...roll, problems: [...roll.problems, ...notices] };
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

/** A word with a slash is a path, any other a label of `tmux -L`; either way one socket is meant, the same for every command. */
export function serverWords(
  words: readonly string[],
  { cwd, socketOf }: Pick<Surroundings, 'cwd' | 'socketOf'>,
): string[] {
  return words.map((word) => (word.includes('/') ? resolve(cwd, word) : socketOf(word)));
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
