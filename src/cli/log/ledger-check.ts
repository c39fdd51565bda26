import { repairsIn } from '../../contract/ledger-documents.ts';
import type { ArchiveCheck } from '../../core/close/seal.ts';
import type { LedgerDamage } from '../../core/ledger/verify-chain.ts';
import { counted } from '../../core/text/counted.ts';
import type { LedgerCheck, LedgerRepair } from '../../ports/ledger.ts';
import { age } from '../render/amounts.ts';
import { type Line, line, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';

const REPAIR_HINT =
  'restore the files from a backup, or run rollcall verify --repair, which goes on with every entry before that one and keeps the damaged file';

/** A damage and what to do about it. */
export function damageLines({ text, reason, sequence }: LedgerDamage, width: number | null): Line[] {
  const place = `the ledger is damaged at entry ${sequence} (${reason}): ${text}`;
  return [...wrap([span('! ', 'alarm')], line(place), width), ...paragraph(REPAIR_HINT, width, 2, 'quiet')];
}

/** The page of `rollcall verify`. */
export function checkLines(check: LedgerCheck, now: number, width: number | null): Line[] {
  const { isEmpty, damage, count: entries, firstAt, path } = check;
  if (isEmpty) return paragraph('The ledger is empty: nothing has been recorded yet.', width);
  const since = firstAt === null ? '' : `, since ${moment(firstAt)} (${age(firstAt, now)})`;
  const amount = `${counted(entries, 'entry', 'entries')}${since}`;
  const head =
    damage === null
      ? wrap([span('intact', 'good')], line(`: ${amount}`), width)
      : [...damageLines(damage, width), ...paragraph(`${amount}, can be relied on.`, width, 2)];
  return [...head, ...noteLines(check, width), ...paragraph(path, width, 2, 'quiet')];
}

/** What the archives are like, where there is anything to say. */
export function archiveLines(check: ArchiveCheck, width: number | null): Line[] {
  const { compared, gone, unsealed, changed } = check;
  const amounts = [
    ...(compared > 0 ? [`${counted(compared, 'archive')} compared`] : []),
    ...(gone > 0 ? [`${gone} removed`] : []),
    ...(unsealed > 0 ? [`${unsealed} without a digest`] : []),
  ];
  return [
    ...changed.flatMap(({ receipt, text }) =>
      wrap([span('! ', 'alarm')], line(`the archive of receipt ${receipt} was changed: ${text}`), width),
    ),
    ...(amounts.length === 0 ? [] : paragraph(amounts.join(', '), width, 2, 'quiet')),
  ];
}

/** What a repair did. */
export function repairLines(repair: LedgerRepair, width: number | null): Line[] {
  if (repair.state === 'intact') return paragraph('Nothing is damaged, and nothing was changed.', width);
  const { kept, leftPath, path } = repair;
  const text = `: ${counted(kept, 'entry', 'entries')} carried over to ${path}; ${leftPath} was left as it is`;
  return wrap([span('repaired', 'good')], line(text), width);
}

function noteLines(check: LedgerCheck, width: number | null): Line[] {
  const { anchor, head, damage, repairs } = check;
  const open = check.openIntents.length;
  const behind = head.sequence - (anchor?.sequence ?? head.sequence);
  const notes = [
    ...(open === 0
      ? []
      : [`${counted(open, 'intent')} without an outcome: under way, or its actor was stopped`]),
    ...(damage === null && behind > 0
      ? [
          `the loss of the last ${counted(behind, 'entry', 'entries')} would not be noticed before the next one`,
        ]
      : []),
    ...repairsIn(repairs).map(
      ({ sequence, left, text }) =>
        `repaired: what came after entry ${sequence} was left in ${left} (${text})`,
    ),
  ];
  return notes.flatMap((text) => paragraph(text, width, 2, 'quiet'));
}

function moment(at: number): string {
  const written = new Date(at);
  return Number.isNaN(written.getTime()) ? 'an unknown time' : written.toISOString();
}
