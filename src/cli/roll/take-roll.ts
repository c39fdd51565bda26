import { resolve } from 'node:path';
import type { Roll } from '../../core/sight/roll.ts';
import type { Inspect } from '../../engine/look/look.ts';
import { requireServers } from '../../operations/look-for.ts';
import type { Surroundings } from '../frame/surroundings.ts';

/** Looks once, at the servers that were named or at all of them, and adds what config has to say. */
export async function takeRoll(
  surroundings: Surroundings,
  servers: readonly string[],
  inspect?: Inspect,
  { isWithClosed = false } = {},
): Promise<Roll> {
  const { notices } = surroundings.config;
  const roll = await surroundings.look({
    ...(servers.length > 0 ? { servers } : {}),
    ...(inspect && { inspect }),
    ...(isWithClosed && { isWithClosed }),
  });
  requireServers(roll, servers);
  return { ...roll, problems: [...roll.problems, ...notices] };
}

/** A word with a slash is a path, any other a label of `tmux -L`; either way one socket is meant, the same for every command. */
export function serverWords(
  words: readonly string[],
  { cwd, socketOf }: Pick<Surroundings, 'cwd' | 'socketOf'>,
): string[] {
  return words.map((word) => (word.includes('/') ? resolve(cwd, word) : socketOf(word)));
}
