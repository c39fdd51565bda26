import { largestOf, type StatusFacts } from '../../contract/status-document.ts';
import { offeredIn, offerText } from '../../core/restore/offer.ts';
import { counted } from '../../core/text/counted.ts';
import type { SeenStatus } from '../../operations/status.ts';
import { age, longBytes, shortBytes } from '../render/amounts.ts';
import { fitLine, type Line, padLine, span } from '../render/line.ts';
import { page, section } from '../render/page.ts';
import { lifecycleTone } from '../render/tones.ts';
import { paragraph } from '../render/wrap.ts';
import { problemLines } from '../roll/problems.ts';
import { daemonLines, dueLines } from './daemon.ts';
import { pressureLines } from './pressure.ts';

/** The page of `rollcall status`. */
export function statusLines(status: SeenStatus, width: number | null): Line[] {
  const { roll, pressure } = status;
  const lost = offeredIn(roll.sessions);
  return page([
    section('DAEMON', daemonLines(status, width)),
    section('MEMORY PRESSURE', pressureLines(pressure, roll.at, width)),
    section('MEMORY BY SESSION', sessionLines(status, width)),
    section('LOST', lost.length === 0 ? [] : paragraph(offerText(lost), width, 2, 'warning')),
    section('COMPLETED, TO BE CLOSED', dueLines(status, width)),
    section('LEDGER', paragraph(ledgerWords(status), width, 2)),
    problemLines(roll.problems, width),
  ]);
}

function sessionLines({ roll }: StatusFacts, width: number | null): Line[] {
  const total = roll.sessions.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
  const summary =
    roll.sessions.length === 0
      ? 'no sessions'
      : `${counted(roll.sessions.length, 'session')}, ${longBytes(total)} together`;
  const servers = new Set(roll.sessions.map(({ server }) => server.socketPath)).size;
  return [
    ...paragraph(summary, width, 2),
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

function ledgerWords({ ledger, roll }: StatusFacts): string {
  if (ledger === null) return 'it could not be read';
  const { entries, last, openIntents, isDamaged } = ledger;
  if (isDamaged) return 'it is damaged: rollcall verify says where';
  if (last === null) return 'nothing has been recorded yet';
  const about = last.session === null ? '' : ` ${last.session.name}`;
  const open = openIntents.length === 0 ? 'nothing is under way' : `${openIntents.length} under way`;
  return `${counted(entries, 'entry', 'entries')}, the last ${age(last.at, roll.at)} (${last.action}${about}); ${open}`;
}
