import type { Problem, Roll } from './roll.ts';
import type { ServerFailure } from './sighting.ts';

const SILENT: Readonly<Record<`server-${ServerFailure}`, true>> = {
  'server-timeout': true,
  'server-stopped': true,
  'server-not-permitted': true,
  'server-garbled': true,
  'server-refused': true,
  'server-failed': true,
};

/** Sockets of servers that gave no answer: what they hold is unknown, not absent. */
export function silentServers(roll: Roll): string[] {
  const sockets = roll.problems.flatMap((problem) => (isSilence(problem) ? problem.socketPath : []));
  return [...new Set(sockets)];
}

/** Whether a problem is that of a server that gave no answer. */
export function isSilence(problem: Problem): problem is Problem & { readonly socketPath: string } {
  return problem.code in SILENT && problem.socketPath !== undefined;
}
