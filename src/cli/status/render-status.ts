import { largestOf, type Status } from '../../contract/status-document.ts';
import { offeredIn, offerText } from '../../core/restore/offer.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { counted } from '../../core/text/counted.ts';
import type { SeenStatus } from '../../operations/status.ts';
import { age, longBytes, shortBytes } from '../render/amounts.ts';
import { fitLine, type Line, line, padLine, span } from '../render/line.ts';
import { lifecycleTone } from '../render/tones.ts';
import { wrap } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';
import { daemonLines } from './daemon.ts';
import { dueLines, type SettledBy } from './due.ts';
import { pressureLines } from './pressure.ts';

/** The page of `rollcall status`. */
export function statusLines(status: SeenStatus, width: number | null): Line[] {
  const told = problemLines(status.roll.problems, width);
  return [
    line('DAEMON', 'heading'),
    ...daemonLines(status.seen, status.roll.at, width, status.answer),
    line(),
    ...pressureLines(status.pressure, status.roll.at, width),
    line(),
    ...sessionLines(status, width),
    line(),
    ...lostLines(offeredIn(status.roll.sessions), width),
    ...dueLines(status.due, settledBy(status), status.roll.at, width),
    line('LEDGER', 'heading'),
    ...wrap([span('  ')], line(ledgerWords(status)), width),
    ...(told.length === 0 ? [] : [line(), ...told]),
  ];
}

function settledBy({ seen }: SeenStatus): SettledBy {
  return seen.state === 'running' ? (seen.standing?.settle?.mode ?? 'off') : 'nobody';
}

function sessionLines({ roll }: Status, width: number | null): Line[] {
  const total = roll.sessions.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
  const summary =
    roll.sessions.length === 0
      ? 'no sessions'
      : `${counted(roll.sessions.length, 'session')}, ${longBytes(total)} together`;
  const servers = new Set(roll.sessions.map(({ server }) => server.socketPath)).size;
  return [
    line('MEMORY BY SESSION', 'heading'),
    ...wrap([span('  ')], line(summary), width),
    ...largestOf(roll.sessions).map(({ memoryBytes, name, server, activity, lifecycle }) =>
      fitLine(
        [
          span('  '),
          ...padLine([span(shortBytes(memoryBytes))], 5, 'right'),
          span(`  ${name}  `),
          ...(servers > 1 ? [span(`on ${server.label}  `, 'quiet')] : []),
          span(`${activity}, `, 'quiet'),
          span(lifecycle, lifecycleTone(lifecycle)),
        ],
        width,
      ),
    ),
  ];
}

function ledgerWords({ ledger, roll }: Status): string {
  if (ledger === null) return 'it could not be read';
  const { entries, last, openIntents, isDamaged } = ledger;
  if (isDamaged) return 'it is damaged: rollcall verify says where';
  if (last === null) return 'nothing has been recorded yet';
  const about = last.session === null ? '' : ` ${last.session.name}`;
  const open = openIntents.length === 0 ? 'nothing is under way' : `${openIntents.length} under way`;
  return `${counted(entries, 'entry', 'entries')}, the last ${age(last.at, roll.at)} (${last.action}${about}); ${open}`;
}

/** What was lost with its server and can be restored; nothing where nothing was. */
function lostLines(lost: readonly SessionEntry[], width: number | null): Line[] {
  if (lost.length === 0) return [];
  return [line('LOST', 'heading'), ...wrap([span('  ')], line(offerText(lost), 'warning'), width), line()];
}
