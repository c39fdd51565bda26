import type { SessionEntry } from '../../sight/roll.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import { shownSessions } from '../session-life.ts';
import { aboutSession, closingOf, leftoverSeverity, reasonsOf, titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Sessions in which an agent ran, and only a shell is left of it. */
export const bareShells: DoctorCheck = {
  name: 'bare-shells',
  group: 'sessions',
  looksAt: 'sessions whose agent has exited and left a bare shell',
  examine: (facts) =>
    shownSessions(facts.roll)
      .filter(isBareShell)
      .map((entry) => findingOf(entry, facts)),
};

function isBareShell({ activity, panes }: SessionEntry): boolean {
  return activity === 'exited' && panes.some((pane) => pane.activity === 'exited' && !pane.isDead);
}

function findingOf(entry: SessionEntry, facts: DoctorFacts): FindingParts {
  const kind = entry.agent === null ? 'the agent' : entry.agent.kind;
  return {
    class: 'agent-exited',
    severity: leftoverSeverity(entry),
    text: `${titleOf(entry)}: ${kind} has exited, a shell is left`,
    evidence: reasonsOf(entry),
    ...closingOf(entry, facts),
    ...aboutSession(entry),
  };
}
