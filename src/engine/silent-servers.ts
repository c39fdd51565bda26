import type { Roll } from '../core/roll.ts';
import type { ServerFailure } from '../core/sighting.ts';

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
  const sockets = roll.problems.flatMap(({ code, socketPath }) => (code in SILENT ? (socketPath ?? []) : []));
  return [...new Set(sockets)];
}
