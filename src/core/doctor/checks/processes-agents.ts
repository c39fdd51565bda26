import type { DoctorCheck } from './check.ts';
import { examineListed } from './processes-listed.ts';

/** Agents, and the shells and commands that they ran. */
export const agentProcesses: DoctorCheck = {
  name: 'agent-processes',
  group: 'processes',
  looksAt:
    'agents and what they ran, in every tmux server and outside: whose they are, and which outlived their session',
  examine: (facts) => examineListed(facts, ({ helper }) => helper === null),
};
