import type { SessionEntry } from '../../sight/roll.ts';
import { visible } from '../../text/visible.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import { ownerLife, shownSessions, worktreeOf } from '../session-life.ts';
import { aboutSession, closingOf, reasonsOf, recordedName, titleOf } from '../session-words.ts';
import type { DoctorCheck } from './check.ts';

/** Sessions whose owner, task or project is provably gone; what cannot be looked for is never called gone. */
export const orphanedSessions: DoctorCheck = {
  name: 'orphaned-sessions',
  group: 'sessions',
  looksAt: 'the owner, task and work tree that sessions name, and names in doctor.orphanPatterns',
  examine: (facts) =>
    shownSessions(facts.roll).flatMap((entry) => {
      const isPeoples = entry.protections.some(({ code }) => PEOPLES.has(code));
      const loss = isPeoples ? null : lossOf(entry, facts);
      return loss === null ? [] : [findingOf(entry, loss, facts)];
    }),
};

/** Somebody looks after these, whatever they name. */
const PEOPLES = new Set(['human-managed', 'project-config-broken', 'held', 'own-session', 'attached']);

interface Loss {
  readonly class: 'owner-gone' | 'task-gone' | 'project-gone' | 'nobody-owns';
  readonly text: string;
}

function lossOf(entry: SessionEntry, facts: DoctorFacts): Loss | null {
  const { owner } = entry;
  const own = owner === null ? 'unknown' : ownerLife(owner, facts);
  if (own === 'alive') return null;
  if (own === 'gone')
    return { class: 'owner-gone', text: `its owner ${recordedName(String(owner), facts)} is gone` };
  return byPattern(entry, facts) ?? byPlace(entry, facts);
}

function byPattern(entry: SessionEntry, facts: DoctorFacts): Loss | null {
  const found = facts.care.orphanPattern(entry.name);
  if (found === undefined) return null;
  const why = `its name matches ${shown(found.pattern)} in doctor.orphanPatterns`;
  if (found.owner === null) {
    return entry.owner === null ? { class: 'nobody-owns', text: `${why}, and it names no owner` } : null;
  }
  if (ownerLife(found.owner, facts) !== 'gone') return null;
  return { class: 'owner-gone', text: `${why}, whose owner ${recordedName(found.owner, facts)} is gone` };
}

function byPlace(entry: SessionEntry, { care: { missingFolders } }: DoctorFacts): Loss | null {
  const { task, panes } = entry;
  if (task !== null && missingFolders.has(task)) {
    return { class: 'task-gone', text: `its task ${shown(task)} is gone` };
  }
  const worktree = worktreeOf(entry);
  if (worktree !== null) {
    const isGone = missingFolders.has(worktree);
    return isGone ? { class: 'project-gone', text: `its work tree ${shown(worktree)} is gone` } : null;
  }
  const folders = panes.map(({ cwd }) => cwd);
  const isGone = folders.length > 0 && folders.every((cwd) => cwd !== null && missingFolders.has(cwd));
  const where = shown(folders[0] ?? '').replace(/ \(deleted\)$/, '');
  return isGone ? { class: 'project-gone', text: `the folder it works in, ${where}, is gone` } : null;
}

function findingOf(entry: SessionEntry, loss: Loss, facts: DoctorFacts): FindingParts {
  return {
    class: loss.class,
    severity: 'warning',
    text: `${titleOf(entry)}: ${loss.text}`,
    evidence: reasonsOf(entry),
    ...closingOf(entry, facts),
    ...aboutSession(entry),
  };
}

function shown(text: string): string {
  return visible(text, 200);
}
