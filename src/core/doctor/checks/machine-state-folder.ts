import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { OwnFileSighting } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

/** Rights of others than the owner. */
const OTHERS = 0o077;

/** Whether only this user can read and write what rollcall keeps. */
export const stateFolder: DoctorCheck = {
  name: 'state-folder',
  group: 'machine',
  scope: 'machine',
  looksAt: 'owner and rights of everything in the state folder',
  examine: ({ machine: { stateFolder: seen } }) => {
    if (seen.state === 'absent') return [];
    if (seen.state === 'refused') return { problem: `${seen.text}; ${seen.hint}` };
    const found = seen.entries.flatMap((entry) => objectionTo(entry) ?? []);
    return seen.isCut ? [...found, cut(seen.path, seen.entries.length)] : found;
  },
};

function objectionTo(entry: OwnFileSighting): FindingParts | null {
  const { path, kind, isOwn, mode } = entry;
  const where = visible(path, 300);
  if (!isOwn) {
    const text = `${where} belongs to another user`;
    return finding('foreign', 'error', text, ['look at it, then move it away'], entry);
  }
  if (kind === 'link' || kind === 'other') {
    const text = `${where} is ${kind === 'link' ? 'a symbolic link' : 'neither a file nor a folder'}`;
    return finding('not-plain', 'warning', text, ['look at it, then move it away'], entry);
  }
  if ((mode & OTHERS) === 0) return null;
  const wide = finding('too-wide', 'warning', `other users can reach ${where}`, [], entry);
  return {
    ...wide,
    remedy: { kind: 'own-file', path, what: 'make-private', mark: entry.mark },
    advice: [`take the rights of others away: chmod go= ${where}`],
  };
}

function finding(
  kind: string,
  severity: FindingParts['severity'],
  text: string,
  advice: readonly string[],
  { mode }: OwnFileSighting,
): FindingParts {
  const rights = `rights ${mode.toString(8).padStart(3, '0')}`;
  return { class: kind, severity, text, evidence: [rights], advice };
}

function cut(path: string, count: number): FindingParts {
  return {
    class: 'not-all-seen',
    severity: 'info',
    text: `${visible(path, 200)} holds more than the ${count} entries that were looked at`,
    advice: ['archives of sessions are never removed by rollcall; remove those that nobody needs'],
  };
}
