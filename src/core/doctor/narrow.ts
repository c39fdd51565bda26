import type { Problem, Roll } from '../sight/roll.ts';
import { isServerNamed } from '../sight/server-named.ts';
import { isSilence } from '../sight/silent-servers.ts';
import type { KnownSessions } from './facts.ts';
import type { Finding } from './finding.ts';
import { serverName } from './session-words.ts';

/** Whether a finding is about one of the servers that were named; what belongs to no server is not. */
export function isAbout(finding: Finding, facts: KnownSessions, servers: readonly string[]): boolean {
  return socketsOf(finding, facts).some((socketPath) => isServerNamed(socketPath, servers));
}

/** The problems that concern these servers, or no server in particular. */
export function problemsOn(problems: readonly Problem[], servers: readonly string[]): readonly Problem[] {
  if (servers.length === 0) return problems;
  return problems.filter(({ socketPath }) => socketPath === undefined || isServerNamed(socketPath, servers));
}

function socketsOf({ sockets, session }: Finding, facts: KnownSessions): readonly string[] {
  if (sockets !== undefined) return sockets;
  return session === undefined ? [] : socketOf(session, facts);
}

/** The socket of a session's server, as the look or the ledger knows it: one, or none. */
export function socketOf(key: string, { roll, ledger }: KnownSessions): string[] {
  const shown = roll.sessions.find((entry) => entry.key === key)?.server;
  const recorded = ledger.state === 'read' ? ledger.sessions.get(key)?.origin?.place?.server : undefined;
  const socketPath = (shown ?? recorded)?.socketPath;
  return socketPath === undefined ? [] : [socketPath];
}

/** The servers that could not be looked at, with the reason; of these alone, where any are named. */
export function unseenServers({ problems }: Pick<Roll, 'problems'>, servers: readonly string[]): string[] {
  const missing = problems.find(({ code }) => code === 'tmux-missing');
  if (missing !== undefined) return [`no tmux server was asked: ${missing.text}`];
  const silent = problems
    .filter(isSilence)
    .filter(({ socketPath }) => servers.length === 0 || isServerNamed(socketPath, servers));
  return silent.map((problem) => `the tmux server ${serverName(problem)}: ${problem.text}`);
}
