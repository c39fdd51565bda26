import type { Roll } from '../../core/roll.ts';

/**
 * A text that is equal for two rolls that say the same to a person. Ages, memory and the wording of reasons (which hold
 * counts and times) move with every look and would make each of them a change.
 */
export function changeMark(roll: Roll): string {
  const codes = (items: readonly { readonly code: string }[]) => items.map((item) => item.code).sort();
  const sessions = [...roll.sessions]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map((entry) => [
      ...[entry.key, entry.name, entry.activity, entry.waitingFor, entry.lifecycle, entry.retainedUntil],
      ...[entry.agent?.kind, entry.role, entry.task, entry.owner, entry.attached, entry.reasons[0]?.code],
      ...[entry.blockers.map(({ kind, code }) => `${kind} ${code}`).sort(), codes(entry.protections)],
    ]);
  const problems = roll.problems.map((problem) => `${problem.code} ${problem.socketPath ?? ''}`).sort();
  return JSON.stringify([sessions, problems, roll.servers.map((server) => server.socketPath).sort()]);
}
