import type { Roll } from '../sight/roll.ts';
import { isServerNamed } from '../sight/server-named.ts';
import { isSilence } from '../sight/silent-servers.ts';
import { serverName } from './server-names.ts';

/** The servers that could not be looked at, with the reason; of these alone, where any are named. */
export function unseenServers({ problems }: Pick<Roll, 'problems'>, servers: readonly string[]): string[] {
  const missing = problems.find(({ code }) => code === 'tmux-missing');
  if (missing !== undefined) return [`no tmux server was asked: ${missing.text}`];
  const silent = problems
    .filter(isSilence)
    .filter(({ socketPath }) => servers.length === 0 || isServerNamed(socketPath, servers));
  return silent.map((problem) => `the tmux server ${serverName(problem)}: ${problem.text}`);
}
