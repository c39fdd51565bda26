import type { ListedProcess } from '../../core/close/listing.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import type { Activity, Blocker } from '../../core/verdict/verdict.ts';
import { type Line, span } from '../render/line.ts';

type Forced = Pick<SessionEntry, 'name' | 'activity' | 'blockers'>;

/**
 * What a forced close may lose, what is only unfinished and stays as it is, and every process that it ends or leaves alone,
 * said before it is done.
 */
export function lossLines({ name, activity, blockers }: Forced, processes: readonly ListedProcess[]): Line[] {
  if (blockers.length === 0 && processes.length === 0) return [];
  const losses = blockers.filter(({ kind }) => kind === 'would-lose');
  const unfinished = blockers.filter(({ kind }) => kind === 'unfinished');
  const needless =
    losses.length === 0 ? ', though nothing would be lost: it closes without --force as well' : '';
  return [
    [span(`${name}: forced${needless}`, 'warning')],
    ...losses.map((one) => [span(`  ${lossIn(one, activity)}: ${one.text} (${one.code})`)]),
    ...unfinished.map(({ code, text }) => [span(`  unfinished, stays as it is: ${text} (${code})`)]),
    ...processes.map(fateLine),
  ];
}

function lossIn({ code }: Blocker, activity: Activity): string {
  const what = code === 'at-rest' ? LOST_WITH[activity] : LOSSES[code];
  return what === undefined ? 'may be lost' : `may lose ${what}`;
}

const LOST_WITH: Readonly<Partial<Record<Activity, string>>> = {
  working: 'what it is working on',
  waiting: 'what it asks',
  starting: 'what it begins',
  none: 'what only this terminal knows',
};

const LOSSES: Readonly<Record<string, string>> = {
  confirmed: 'a turn that is not over yet',
  'nothing-running': 'what runs in it',
  'nothing-outside': 'what it left running',
  'nothing-unsent': 'what is typed and not sent',
  'nobody-there': 'what somebody does in it',
  'windows-own': 'the session, not the windows that it shares',
  'finished-or-resumable': 'its conversation',
};

function fateLine({ program, pid, what, why }: ListedProcess): Line {
  return [span(`  ${FATE[what]}: ${program} (pid ${pid})${why === null ? '' : `: ${why}`}`)];
}

const FATE = { end: 'ends', 'hang-up': 'loses its terminal', keep: 'is left alone' } as const;
