import { resolve } from 'node:path';
import type { RollDocument } from '../../contract/document-schemas.ts';
import { rollIn } from '../../contract/roll-document.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Inspect, LookOptions } from '../../engine/look/look.ts';
import { requireServers } from '../../operations/look-for.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import { type DaemonFlags, throughDaemon } from '../frame/through-daemon.ts';

/** Looks once, at the servers that were named or at all of them, and adds what config has to say. */
export async function takeRoll(
  surroundings: Surroundings,
  servers: readonly string[],
  inspect?: Inspect,
  { isWithClosed = false } = {},
): Promise<Roll> {
  const roll = await lookNoted(surroundings, {
    ...(servers.length > 0 ? { servers } : {}),
    ...(inspect && { inspect }),
    ...(isWithClosed && { isWithClosed }),
  });
  requireServers(roll, servers);
  return roll;
}

/**
 * Looks again and again: through the daemon for as long as that looks in the place of this process, and here from then on.
 * A look of the daemon has no evidence.
 */
export function looker(
  surroundings: Surroundings,
  flags: DaemonFlags,
  { isWithClosed = false } = {},
): (servers: readonly string[]) => Promise<Roll> {
  let isThere = true;
  return async (servers) => {
    const carried = isThere
      ? await throughDaemon(surroundings, flags, `/v1/roll?fresh=true&all=${isWithClosed}`)
      : null;
    isThere = carried !== null;
    return carried === null
      ? takeRoll(surroundings, servers, undefined, { isWithClosed })
      : rollIn(JSON.parse(carried.toString()) as RollDocument);
  };
}

/** One look, with what config has to say. */
export async function lookNoted(surroundings: Surroundings, options: LookOptions = {}): Promise<Roll> {
  const roll = await surroundings.look(options);
  return { ...roll, problems: [...roll.problems, ...surroundings.config.notices] };
}

/** A word with a slash is a path, any other a label of `tmux -L`; either way one socket is meant, the same for every command. */
export function serverWords(
  words: readonly string[],
  { cwd, socketOf }: Pick<Surroundings, 'cwd' | 'socketOf'>,
): string[] {
  return words.map((word) => (word.includes('/') ? resolve(cwd, word) : socketOf(word)));
}
