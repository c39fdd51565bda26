import type { DoctorCheck } from './check.ts';
import { examineListed } from './processes-listed.ts';

/** What agents start beside their tools. */
export const helperProcesses: DoctorCheck = {
  name: 'helper-processes',
  group: 'processes',
  looksAt:
    'MCP servers, language servers and driven browsers: whose they are, and which outlived their session',
  examine: (facts) => examineListed(facts, ({ helper }) => helper !== null),
};
