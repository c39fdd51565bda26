import type { Due } from '../../core/settle/due.ts';
import type { SettleMode } from '../../core/settle/standing.ts';
import { spoken } from '../../core/text/duration.ts';
import { visible } from '../../core/text/visible.ts';
import { type Line, line, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';

/** Who closes what is due: a daemon in a mode, or nobody. */
export type SettledBy = SettleMode | 'nobody';

/** What is to be closed because its work was declared complete, and when; nothing where nothing is. */
export function dueLines(due: readonly Due[], by: SettledBy, now: number, width: number | null): Line[] {
  if (due.length === 0) return [];
  return [
    line('COMPLETED, TO BE CLOSED', 'heading'),
    ...wrap([span('  ')], line(WHO[by]), width),
    ...due.flatMap((one) =>
      wrap([span('  ')], [span(`${visible(one.name)}  `), span(words(one, now), 'quiet')], width),
    ),
    line(),
  ];
}

const WHO: Readonly<Record<SettledBy, string>> = {
  on: 'the daemon closes them by itself when they are due, one at a time',
  shadow: 'daemon.settle is shadow: nothing is closed by itself; rollcall close --due closes what is due',
  off: 'daemon.settle is off: nothing is closed by itself; rollcall close --due closes what is due',
  nobody: 'no daemon runs: nothing is closed by itself; rollcall close --due closes what is due',
};

function words({ state, dueAt, why }: Due, now: number): string {
  return `${when(state, dueAt, now)}: ${visible(why)}`;
}

function when(state: Due['state'], dueAt: number | null, now: number): string {
  const inTime = dueAt === null ? 'at some time' : dueAt > now ? `in ${spoken(dueAt - now)}` : 'now';
  switch (state) {
    case 'due':
      return 'now';
    case 'closing':
      return 'being closed';
    case 'failed':
      return `failed, again ${inTime}`;
    case 'later':
      return inTime;
    case 'working':
      return 'after its turn';
    case 'unproven':
      return 'not proven';
    case 'protected':
      return 'protected';
  }
}
