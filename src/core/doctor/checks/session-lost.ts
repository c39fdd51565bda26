import type { SessionEntry } from '../../sight/roll.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import { recordWord, sessionWord, titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Sessions that the ledger expects and that are exactly gone. */
export const lostSessions: DoctorCheck = {
  name: 'lost-sessions',
  group: 'sessions',
  looksAt: 'managed sessions that went without being closed',
  examine: (facts) =>
    facts.roll.sessions
      .filter(({ lifecycle }) => lifecycle === 'lost')
      .map((entry) => findingOf(entry, facts)),
};

function findingOf(entry: SessionEntry, facts: DoctorFacts): FindingParts {
  const { key, reasons } = entry;
  return {
    class: 'lost',
    severity: 'warning',
    text: `${titleOf(entry)}: ${reasons[0]?.text ?? 'it is gone'}`,
    evidence: reasons.map(({ text }) => text),
    remedy: { kind: 'settle-lost', key, isOptional: true },
    advice: [
      wayBack(entry, facts),
      `or let it go, which touches nothing: rollcall close ${sessionWord(entry, facts.roll)}, or --fix --only lost-sessions for all of them`,
    ],
    session: key,
  };
}

function wayBack(entry: SessionEntry, facts: DoctorFacts): string {
  const standing = entry.evidence.find((piece) => piece.kind === 'standing');
  switch (standing?.origin?.how) {
    case 'started':
      return `put it back: rollcall reopen ${recordWord(entry, facts)}`;
    case 'reopened':
      return `put back what it was made from: rollcall log ${recordWord(entry, facts)} names it`;
    default:
      return 'rollcall did not start it, so it cannot put it back';
  }
}
