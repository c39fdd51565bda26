import type { DoctorCheck } from './check.ts';
import { blindness, findingOn, hiddenOnes, listedIn } from './processes-listed.ts';

/** What agents start beside their tools. */
export const helperProcesses: DoctorCheck = {
  name: 'helper-processes',
  group: 'processes',
  scope: 'server',
  looksAt:
    'MCP servers, language servers and driven browsers: whose they are, and which outlived their session',
  examine: (facts) =>
    blindness(facts) ?? [
      ...hiddenOnes(facts),
      ...listedIn(facts)
        .filter(({ helper }) => helper !== null)
        .map(findingOn),
    ],
};
