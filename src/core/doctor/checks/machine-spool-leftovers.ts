import { spoken } from '../../text/duration.ts';
import { visible } from '../../text/visible.ts';
import type { DoctorFacts } from '../facts.ts';
import type { FindingParts } from '../finding.ts';
import type { OwnFileSighting } from '../sightings.ts';
import type { DoctorCheck } from './check.ts';

const HOUR = 60 * 60 * 1000;
/** Looks take events in long before that, but may have had no reason to remove a few. */
const OLD_MS = 7 * 24 * HOUR;
/** A hook writes its file within seconds. */
const UNFINISHED_MS = 24 * HOUR;
/** So many are taken in and removed by any look. */
const PILED_UP = 1000;

/** Files that agents' hooks left and that nobody took. */
export const spoolLeftovers: DoctorCheck = {
  name: 'spool-leftovers',
  group: 'machine',
  scope: 'machine',
  looksAt: 'files in the hooks’ spool that nobody took',
  examine: (facts) => {
    const { spool } = facts.machine;
    if (spool.state === 'absent') return [];
    if (spool.state === 'refused') return { problem: `${spool.text}; ${spool.hint}` };
    const found = spool.entries.flatMap((entry) => leftover(entry, facts) ?? []);
    return spool.entries.length >= PILED_UP ? [...found, piledUp(spool.entries.length)] : found;
  },
};

function leftover(entry: OwnFileSighting, { now }: DoctorFacts): FindingParts | null {
  const { path, kind, isOwn } = entry;
  const where = visible(path, 300);
  if (kind !== 'file' || !isOwn) {
    const text = isOwn ? `${where} is no event of a hook` : `${where} belongs to another user`;
    const advice = ['look at it, then move it away'];
    return { class: 'no-event', severity: 'warning', text, advice };
  }
  const ageMs = now.at - entry.modifiedAt;
  const isTemporary = path.slice(path.lastIndexOf('/') + 1).startsWith('.');
  if (ageMs < (isTemporary ? UNFINISHED_MS : OLD_MS)) return null;
  const text = `${where} has lain there for ${spoken(ageMs)}`;
  const evidence = [`${entry.sizeBytes} bytes`];
  if (!isTemporary) {
    // It may be the only word of a timer that is still set.
    const advice = ['leave it: every look reads it, and removes it with the next hundred'];
    return { class: 'old-event', severity: 'info', text, evidence, advice };
  }
  return {
    ...{ class: 'unfinished', severity: 'info', text, evidence },
    remedy: { kind: 'own-file', path, what: 'remove', mark: entry.mark },
    advice: ['remove it; its writer is gone'],
  };
}

function piledUp(count: number): FindingParts {
  return {
    class: 'piled-up',
    severity: 'warning',
    text: `${count} events of hooks wait in the spool`,
    advice: ['any look takes them in: rollcall; if they stay, see rollcall hooks status'],
  };
}
