import { named } from '../../../core/close/ladder.ts';
import type { RungReport, Survivor } from '../../../core/close/receipt.ts';
import { processKey, type ServerIdentity } from '../../../core/identity.ts';
import type { Roll } from '../../../core/roll.ts';
import { visible } from '../../../core/visible.ts';
import type { Hands } from '../hands.ts';
import type { Subject } from './look-at.ts';
import { killAll, livingOf, terminateAll, untilGone } from './processes.ts';
import type { DoStep } from './steps.ts';
import type { CloseTimings } from './timings.ts';

export interface Sweeping {
  readonly hands: Hands;
  readonly subject: Subject;
  readonly step: DoStep;
  readonly timings: CloseTimings;
  readonly isForced: boolean;
  /** The panes that were its own. */
  readonly paneIds: ReadonlySet<string>;
  /** Every process that was seen to belong to them. */
  readonly recorded: readonly Survivor[];
}

type Swept = Omit<RungReport, 'rung' | 'startedAt' | 'endedAt'> & { readonly survivors: readonly Survivor[] };

/** Ends what belonged to a session and outlived it; reports what stays. */
export async function sweep(sweeping: Sweeping): Promise<Swept> {
  const { hands, step, timings, isForced } = sweeping;
  const found = leftovers(sweeping);
  if (found.length === 0) return { result: 'skipped', text: 'nothing was left behind', survivors: [] };
  return step('sweep', async () => {
    const refused = terminateAll(hands, found);
    let survivors = await untilGone(hands, found, timings.terminateMs, timings);
    if (isForced && survivors.length > 0) {
      refused.push(...killAll(hands, survivors));
      survivors = await untilGone(hands, survivors, timings.killMs, timings);
    }
    const ended = found.filter((one) => !survivors.includes(one)).map(named);
    const text = [
      ...(ended.length > 0 ? [`ended ${ended.join(', ')}`] : []),
      ...(survivors.length > 0 ? [`${survivors.map(named).join(', ')} still runs`] : []),
      ...refused,
    ].join('; ');
    return { result: survivors.length === 0 ? 'done' : 'failed', text, survivors };
  });
}

/** Panes of a closed session that somebody moved elsewhere: they live on, and so does what is in them. */
export function movedPanes(
  { target, key }: Subject,
  paneIds: Iterable<string>,
  roll: Roll,
): { readonly paneId: string; readonly session: string }[] {
  const own = new Set(paneIds);
  return roll.sessions
    .filter(({ server, key: other }) => server.pid === target.server.pid && other !== key)
    .flatMap(({ name, panes }) =>
      panes.filter(({ paneId }) => own.has(paneId)).map(({ paneId }) => ({ paneId, session: name })),
    );
}

// By identity, and by the mark of its panes: what was started after the last look is found only so.
function leftovers({ hands, subject, paneIds, recorded }: Sweeping): Survivor[] {
  const known = livingOf(hands, recorded);
  return [...known, ...markedBy(hands, subject.target.server, paneIds, known)];
}

/** Processes that carry the mark of these panes, apart from those that are known. */
export function markedBy(
  hands: Hands,
  server: ServerIdentity,
  paneIds: ReadonlySet<string>,
  known: readonly Survivor[],
): Survivor[] {
  const keys = new Set(known.map(processKey));
  const strangers = [...hands.processes.sense().byPid.values()].filter(
    (process) =>
      !keys.has(processKey(process)) &&
      process.pid !== server.pid &&
      // What is older than the server bears the mark of an earlier one that had its number.
      process.startTicks >= server.startTicks &&
      process.state !== 'Z' &&
      process.comm !== 'tmux: server',
  );
  const marked = [...hands.processes.markers(strangers).values()].filter(
    ({ tmux, tmuxPane }) =>
      Number(tmux?.split(',').at(-2)) === server.pid && tmuxPane !== undefined && paneIds.has(tmuxPane),
  );
  const details = hands.processes.details(marked, { io: false, memory: false });
  return marked.flatMap(({ pid, startTicks }) => {
    const argv = details.get(pid)?.argv ?? [];
    const isShared = hands.agents.some((agent) => agent.isShared?.(argv) ?? false);
    return isShared ? [] : [{ pid, startTicks, program: visible(argv[0] ?? '?', 120) }];
  });
}
