import type { WindowPlan } from '../../../core/sight/window.ts';
import { visible } from '../../../core/text/visible.ts';
import type { NotDone, SessionTarget } from '../../../ports/actuator.ts';
import { actInSession, type Reach } from './act-if.ts';
import { type Fact, fact } from './facts.ts';

/** The windows of a session that is being laid out, as tmux writes them. */
export interface SessionLayout {
  /** Its windows by index, each with its panes. */
  readonly windows: string;
  /** Those that were begun for it, whatever became of them since. */
  readonly begun: string;
}

/** A window that is to be made, and where. */
export interface PlacedWindow {
  readonly window: WindowPlan;
  readonly index: number;
  /** Where the window is that has the session's own pane; absent for one that is not there yet. */
  readonly from?: number;
}

/** What is still to be made of a session. */
export interface RestOfLayout {
  readonly windows: readonly PlacedWindow[];
  /** What will not be as it was. */
  readonly lacking: readonly string[];
  /** Somebody else has put windows into it. */
  readonly hasOthers: boolean;
}

/** On the session: the windows that were begun. In the same command as what is made of them. */
export const BEGUN = '@rollcall_windows';

const WINDOWS = '#{W:#{window_index}/#{P:#{pane_id} }.}';

/** Reads which windows a session has; or why that cannot be told. */
export async function readStanding(reach: Reach, session: SessionTarget): Promise<SessionLayout | NotDone> {
  const acted = await actInSession(reach, session, (target) => [
    ['display-message', '-p', '-t', target, `${WINDOWS}|#{${BEGUN}}`],
  ]);
  if (acted.state !== 'done') return acted;
  const [windows = '', begun = ''] = acted.printed.toString('utf8').trimEnd().split('|');
  // Whatever somebody else has written there is never put into a command.
  if (!/^(?:\d{1,15}\/(?:%\d{1,15} )+\.)+$/.test(windows) || !/^(?: \d{1,15})*$/.test(begun))
    return { state: 'failed', text: 'tmux did not tell which windows it has' };
  return { windows, begun };
}

/** That it is still so: nothing is made at a place that somebody has taken since. */
export function standingFacts({ windows, begun }: SessionLayout): Fact[] {
  return [
    fact(WINDOWS, windows, 'it has other windows or panes by now'),
    fact(`#{${BEGUN}}`, begun, 'somebody else lays it out'),
  ];
}

/**
 * What is to be made of a plan where some of it may be there: the first of its windows is around the session's own pane. Null
 * where that is gone.
 */
export function restOf(
  plan: readonly WindowPlan[],
  standing: SessionLayout,
  paneId: string,
): RestOfLayout | null {
  const there = windowsIn(standing);
  const begun = new Set(standing.begun.trim().split(' ').filter(Boolean).map(Number));
  const own = [...there].find(([, panes]) => panes.includes(paneId))?.[0];
  if (own === undefined) return null;
  const hasOthers = [...there.keys()].some((index) => index !== own && !begun.has(index));
  const windows: PlacedWindow[] = [];
  const lacking: string[] = [];
  const taken = new Set(there.keys());
  for (const [turn, window] of plan.entries()) {
    const { index } = window;
    const isOwn = turn === 0;
    const count = there.get(isOwn ? own : index)?.length ?? 0;
    if (begun.has(index)) lacking.push(...fewer(window, count));
    else if (isOwn) {
      const isFree = index === own || !taken.has(index);
      if (!isFree) lacking.push(`${named(window)} is window ${own}: another one has its place`);
      if (count === 1) {
        const at = isFree ? index : own;
        windows.push({ window, index: at, from: own });
        taken.delete(own);
        taken.add(at);
      } else lacking.push(...fewer(window, 1));
    } else if (taken.has(index)) lacking.push(`${named(window)} is not made: another one has its place`);
    else windows.push({ window, index });
  }
  return { windows, lacking, hasOthers };
}

/** What is said of those that could not be begun. */
export function notMade({ windows }: RestOfLayout): string[] {
  return windows.map(({ window }) => `${named(window)} is not made`);
}

function fewer(window: WindowPlan, count: number): string[] {
  const planned = window.panes.length;
  return count < planned ? [`${named(window)} has ${count} of its ${planned} panes`] : [];
}

function named({ index, name }: WindowPlan): string {
  return `window ${index} '${visible(name, 80)}'`;
}

function windowsIn({ windows }: SessionLayout): Map<number, readonly string[]> {
  return new Map(
    windows
      .split('.')
      .filter(Boolean)
      .map((row) => {
        const [index = '', panes = ''] = row.split('/');
        return [Number(index), panes.trimEnd().split(' ')];
      }),
  );
}
