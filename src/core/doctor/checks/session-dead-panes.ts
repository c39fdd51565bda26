import type { PaneEntry, SessionEntry } from '../../sight/roll.ts';
import { counted } from '../../text/counted.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import { shownSessions } from '../session-life.ts';
import { aboutSession, closingOf, leftoverSeverity, reasonsOf, titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Panes that tmux kept although their program has ended (remain-on-exit). */
export const deadPanes: DoctorCheck = {
  name: 'dead-panes',
  group: 'sessions',
  looksAt: 'panes that remain-on-exit keeps after their program has ended',
  examine: (facts) =>
    shownSessions(facts.roll).flatMap((entry) => {
      const dead = entry.panes.filter(({ isDead }) => isDead);
      return dead.length === 0 ? [] : [findingOf(entry, dead, facts)];
    }),
};

function findingOf(entry: SessionEntry, dead: readonly PaneEntry[], facts: DoctorFacts): FindingParts {
  const isWhole = dead.length === entry.panes.length;
  const count = counted(dead.length, 'dead pane');
  return {
    class: isWhole ? 'all-panes-dead' : 'some-panes-dead',
    severity: leftoverSeverity(entry),
    text: `${titleOf(entry)}: ${count} of ${entry.panes.length}`,
    evidence: [...dead.map(howItEnded), ...reasonsOf(entry)],
    ...closingOf(entry, facts),
    ...aboutSession(entry),
  };
}

function howItEnded({ paneId, exitStatus, exitSignal }: PaneEntry): string {
  if (exitSignal !== null) return `${paneId} was ended by signal ${exitSignal}`;
  if (exitStatus !== null) return `${paneId} ended with status ${exitStatus}`;
  return `${paneId} ended, and tmux does not know how (a known fault up to 3.5)`;
}
