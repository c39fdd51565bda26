import type { PlannedReap, ReapPass } from '../../contract/reap-documents.ts';
import type { ReapEvent } from '../../core/reaper/standing.ts';
import { counted } from '../../core/text/counted.ts';
import { spoken } from '../../core/text/duration.ts';
import { longBytes, shortBytes } from '../render/amounts.ts';
import { type Line, line, padLine, span } from '../render/line.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { budgetWords } from './render-mode.ts';

/** What would go, in which order, and what keeps the others. */
export function reapPlanLines(pass: ReapPass, width: number | null): Line[] {
  const { tier, isAssumed, mode, sessions, confirmMs, graceMs, budget, at } = pass;
  const going = sessions.filter(({ place }) => place !== null);
  const bytes = going.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
  const what =
    going.length === 0
      ? 'nothing would go'
      : `${counted(going.length, 'session')} could go, ${longBytes(bytes)} together`;
  const times = `each is watched for ${spoken(confirmMs)} first, and given ${spoken(graceMs)} after it is chosen`;
  return [
    ...paragraph(
      `memory pressure ${isAssumed ? 'as if it were' : 'is'} ${tier}, mode ${mode}: ${what}`,
      width,
    ),
    ...sessions.flatMap((one) => sessionLines(one, width)),
    ...(going.length === 0 ? [] : paragraph(times, width, 0, 'quiet')),
    ...paragraph(budgetWords(budget, at), width, 0, 'quiet'),
  ];
}

function sessionLines(one: PlannedReap, width: number | null): Line[] {
  const { place, memoryBytes, name, relief, guard } = one;
  const head = [
    ...padLine([span(place === null ? '-' : String(place))], 4, 'right'),
    ...padLine([span(memoryBytes === null ? '?' : shortBytes(memoryBytes))], 6, 'right'),
    span('  '),
  ];
  const why =
    guard === null ? span(relief ?? '', 'warning') : span(`kept: ${guard.code}, ${guard.text}`, 'quiet');
  return wrap(head, [span(`${name}  `), why], width);
}

/** One thing that the reaper did. */
export function reapEventLine({ kind, session, text }: ReapEvent): Line {
  return line(`${kind}${session === null ? '' : ` ${session.name}`}: ${text}`);
}
