import { gateChecks } from '../../gate/unfinished.ts';
import type { SessionEntry } from '../../sight/roll.ts';
import { spoken } from '../../text/duration.ts';
import { type DeclaredGate, openGates } from '../../verdict/declared.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import { reasonsOf, sessionWord, titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Work that a gate asks for and that is not finished. */
export const unmetGates: DoctorCheck = {
  name: 'unmet-gates',
  group: 'sessions',
  looksAt: 'work that a gate wants finished, and whether anybody is at it',
  examine: (facts) =>
    facts.roll.sessions.flatMap((entry) => openIn(entry, facts).map((gate) => findingOf(entry, gate, facts))),
};

function openIn({ evidence }: SessionEntry, { now }: DoctorFacts): readonly DeclaredGate[] {
  const standing = evidence.find((piece) => piece.kind === 'standing');
  const clock = evidence.find((piece) => piece.kind === 'clock');
  return standing === undefined ? [] : openGates(standing, { now, ...(clock && { clock }) });
}

/** Somebody is at it, or nobody can tell. */
const AT_WORK: readonly string[] = ['starting', 'working', 'waiting', 'unknown'];

function findingOf(entry: SessionEntry, gate: DeclaredGate, { roll, now }: DoctorFacts): FindingParts {
  const { key, lifecycle, activity } = entry;
  const [kind, how] =
    lifecycle === 'lost'
      ? (['owner-lost', 'its session is lost'] as const)
      : gate.stale !== null
        ? (['let-go', `its agent was let go ${spoken(Math.max(0, now.at - gate.stale.at))} ago`] as const)
        : (['unmet', AT_WORK.includes(activity) ? 'it is being worked on' : 'no agent works on it'] as const);
  const missing = gateChecks([gate]).map(({ text }) => text);
  return {
    class: kind,
    severity: kind === 'unmet' && AT_WORK.includes(activity) ? 'info' : 'warning',
    text: `${titleOf(entry)}: ${missing.join('; ')}; ${how}`,
    evidence: [
      `gate ${gate.id}${gate.task === null ? '' : `: ${gate.task}`}`,
      ...(gate.stale === null ? [] : [gate.stale.text]),
      ...reasonsOf(entry),
    ],
    advice: [
      `see what is missing now: rollcall gate status ${sessionWord(entry, roll)} --run`,
      `if it is not wanted any more: rollcall gate abandon ${gate.id}`,
    ],
    session: key,
  };
}
