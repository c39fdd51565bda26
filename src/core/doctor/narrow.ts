import type { Problem } from '../sight/roll.ts';
import { isServerNamed } from '../sight/server-named.ts';
import type { DoctorFacts } from './facts.ts';
import type { Finding } from './finding.ts';

/** Whether a finding is about one of the servers that were named; what belongs to no server is not. */
export function isAbout(
  finding: Finding,
  facts: Pick<DoctorFacts, 'roll' | 'ledger'>,
  servers: readonly string[],
): boolean {
  return socketsOf(finding, facts).some((socketPath) => isServerNamed(socketPath, servers));
}

/** Of what kept rollcall from seeing everything, what concerns these servers or all of them. */
export function problemsOn(problems: readonly Problem[], servers: readonly string[]): readonly Problem[] {
  if (servers.length === 0) return problems;
  return problems.filter(({ socketPath }) => socketPath === undefined || isServerNamed(socketPath, servers));
}

function socketsOf(
  { sockets, session }: Finding,
  facts: Pick<DoctorFacts, 'roll' | 'ledger'>,
): readonly string[] {
  if (sockets !== undefined) return sockets;
  return session === undefined ? [] : socketOf(session, facts);
}

/** The socket of a session's server, as the look or the ledger knows it: one, or none. */
export function socketOf(key: string, { roll, ledger }: Pick<DoctorFacts, 'roll' | 'ledger'>): string[] {
  const shown = roll.sessions.find((entry) => entry.key === key)?.server;
  const recorded = ledger.state === 'read' ? ledger.sessions.get(key)?.origin?.place?.server : undefined;
  const socketPath = (shown ?? recorded)?.socketPath;
  return socketPath === undefined ? [] : [socketPath];
}
