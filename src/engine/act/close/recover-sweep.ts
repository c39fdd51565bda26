import type { Closing } from '../../../core/close/bodies.ts';
import type { RungReport, Survivor } from '../../../core/close/receipt.ts';
import { processKey, type ServerIdentity } from '../../../core/sight/identity.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import { named } from '../../../core/verdict/evidence.ts';
import type { Hands } from '../hands.ts';
import { nobodysAmong } from './nobodys.ts';
import { livingOf, terminateAll, untilGone } from './processes.ts';
import { stepsOf } from './steps.ts';
import { inPanes, markedBy } from './sweep.ts';
import { CLOSE_TIMINGS } from './timings.ts';

/** Every command recovers first, and nobody wants to wait for long before what was asked for. */
const TIMINGS = { ...CLOSE_TIMINGS, terminateMs: 3000 };

/** What a session left running, and what became of it. */
export interface LeftBehind {
  readonly rungs: readonly RungReport[];
  readonly survivors: readonly Survivor[];
}

/**
 * Ends what a session left running whose close was cut short. Only processes that the intent names are ended, while they
 * are still the same and no pane of any session has them; whatever else bears the mark of its panes is only told. Time
 * has passed since it was decided, so nothing is ever killed.
 */
export async function sweepAfterwards(
  hands: Hands,
  server: ServerIdentity,
  { panes, processes }: Closing,
  roll: Roll,
): Promise<LeftBehind> {
  const startedAt = hands.now();
  const inUse = inPanes(roll);
  const living = livingOf(hands, processes);
  const nobodys = nobodysAmong(hands, living);
  const ours = living.filter((one) => !inUse.has(processKey(one)) && !nobodys.has(processKey(one)));
  const strangers = markedBy(hands, server, new Set(panes), living).filter(
    (one) => !inUse.has(processKey(one)),
  );
  if (ours.length === 0 && strangers.length === 0) return { rungs: [], survivors: [] };
  const { refused, left } = await stepsOf(hands)('sweep', async () => {
    const refused = terminateAll(hands, ours);
    return { refused, left: await untilGone(hands, ours, TIMINGS.terminateMs, TIMINGS) };
  });
  const ended = ours.filter((one) => !left.includes(one)).map(named);
  const text = [
    ...(ended.length > 0 ? [`ended ${ended.join(', ')}`] : []),
    ...(left.length > 0 ? [`${left.map(named).join(', ')} still runs`] : []),
    ...(strangers.length > 0 ? [`not proven to be its own: ${strangers.map(named).join(', ')}`] : []),
    ...refused,
  ].join('; ');
  const survivors = [...left, ...strangers].map(({ pid, startTicks, program }) => ({
    pid,
    startTicks,
    program,
  }));
  const result = survivors.length === 0 ? 'done' : 'failed';
  return { rungs: [{ rung: 'sweep', startedAt, endedAt: hands.now(), result, text }], survivors };
}
