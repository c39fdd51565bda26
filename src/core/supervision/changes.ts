import type { ReapEvent } from '../reaper/standing.ts';
import type { SettleEvent } from '../settle/standing.ts';
import type { Problem, Roll, SessionEntry } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import { visible } from '../text/visible.ts';
import type { Change, ChangedSession, Round, SessionState, Wake } from './round.ts';

/** What one round saw, as far as changes are told from it. */
export interface SeenInRound extends Pick<Round, 'roll' | 'pressure'> {
  readonly events: readonly ReapEvent[];
  readonly settled: readonly SettleEvent[];
}

type Content = DistributiveOmit<Change, 'number' | 'at'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/**
 * What is not as it was in the round before. A first round has nothing before it: what it finds is how things stand, and
 * no change, so that a restart tells nobody anything twice.
 */
export function changesBetween(
  before: Pick<Round, 'roll' | 'pressure'> | null,
  after: SeenInRound,
  now: Moment,
  nextNumber: number,
): Change[] {
  const found: Content[] = [
    ...(before === null ? [] : sessionChanges(before.roll, after.roll)),
    ...(before === null ? [] : problemChanges(before.roll, after.roll)),
    ...(before === null ? [] : pressureChange(before, after)),
    ...after.settled.map((event) => ({ kind: 'settle', event }) as const),
    ...after.events.map((event) => ({ kind: 'reaper', event }) as const),
  ];
  return found.map((content, index) => ({ number: nextNumber + index, at: now.at, ...content }));
}

/** A session as far as a change of it is told. */
export function stateOf(entry: SessionEntry): SessionState {
  const { activity, waitingFor, lifecycle } = entry;
  const name = visible(entry.name, LONGEST_NAME);
  const text = visible(entry.reasons[0]?.text ?? '', LONGEST_TEXT);
  return { activity, waitingFor, lifecycle, isAttached: entry.attached > 0, name, text };
}

const LONGEST_NAME = 200;
const LONGEST_TEXT = 400;

function sessionChanges(before: Roll, after: Roll): Content[] {
  const earlier = new Map(before.sessions.map((entry) => [entry.key, entry]));
  const found: Content[] = [];
  for (const entry of after.sessions) {
    const last = earlier.get(entry.key);
    earlier.delete(entry.key);
    if (last !== undefined && !isOther(last, entry)) continue;
    found.push({
      kind: 'session',
      session: whom(entry),
      from: last === undefined ? null : stateOf(last),
      to: stateOf(entry),
    });
  }
  for (const gone of earlier.values()) {
    found.push({ kind: 'session', session: whom(gone), from: stateOf(gone), to: null });
  }
  return found;
}

// The text is told and never compared: it may hold an age, and would change with every round.
function isOther(one: SessionEntry, other: SessionEntry): boolean {
  const names = ['activity', 'waitingFor', 'lifecycle', 'name'] as const;
  return one.attached > 0 !== other.attached > 0 || names.some((name) => one[name] !== other[name]);
}

function whom({ key, name, server, agent, role, task }: SessionEntry): ChangedSession {
  const shown = (text: string | null) => (text === null ? null : visible(text, LONGEST_NAME));
  return {
    ...{ key, name: visible(name, LONGEST_NAME), server: visible(server.label, LONGEST_NAME) },
    ...{ agent: agent?.kind ?? null, role: shown(role), task: shown(task) },
  };
}

// A problem's text may count (pids, ages), so that one is the same as long as code and place are.
function problemChanges(before: Roll, after: Roll): Content[] {
  const earlier = byPlace(before.problems);
  const later = byPlace(after.problems);
  const told = (problems: typeof later, known: typeof later, isOver: boolean) =>
    [...problems].flatMap(([place, problem]): Content[] =>
      known.has(place) ? [] : [{ kind: 'problem', problem, isOver }],
    );
  return [...told(later, earlier, false), ...told(earlier, later, true)];
}

function byPlace(problems: readonly Problem[]): Map<string, Problem> {
  return new Map(problems.map((problem) => [`${problem.code} ${problem.socketPath ?? ''}`, problem]));
}

function pressureChange(before: Pick<Round, 'pressure'>, after: Pick<Round, 'pressure'>): Content[] {
  const { tier, reason } = after.pressure;
  const from = before.pressure.tier;
  return tier === from
    ? []
    : [{ kind: 'pressure', from, to: tier, text: visible(reason.text, LONGEST_TEXT) }];
}

/**
 * How many changes a relist found that no hint had announced. What time alone brings about (a rest that became long) has
 * no hint, and misses none.
 */
export function missedHints(changes: readonly Change[], wokenBy: readonly Wake[]): number {
  const isRelist = wokenBy.length > 0 && wokenBy.every((wake) => wake === 'relist');
  return isRelist ? changes.filter(wasAnEvent).length : 0;
}

function wasAnEvent(change: Change): boolean {
  if (change.kind !== 'session') return false;
  const { from, to } = change;
  if (from === null || to === null) return true;
  const names = ['activity', 'waitingFor', 'isAttached', 'name'] as const;
  return names.some((name) => from[name] !== to[name]);
}
