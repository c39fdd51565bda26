import type { DoctorCheck } from './check.ts';
import { blindness, findingOn, hiddenOnes, listedIn } from './processes-listed.ts';

/** Agents, and the shells and commands that they ran. */
export const agentProcesses: DoctorCheck = {
  name: 'agent-processes',
  group: 'processes',
  scope: 'server',
  looksAt:
    'agents and what they ran, in every tmux server and outside: whose they are, and which outlived their session',
  examine: (facts) =>
    blindness(facts) ?? [
      ...hiddenOnes(facts),
      ...listedIn(facts)
        .filter(({ helper }) => helper === null)
        .map(findingOn),
    ],
};
