import type { SessionEntry } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import { deepFingerprintOf, fingerprintOf, type ScreenMark } from './fingerprint.ts';
import { type Chosen, type ReaperMemory, type Steady, setAside } from './memory.ts';
import { type Judgement, judgeRelief } from './relief.ts';
import { type ReapEvent, type ReapGuard, type Relief, reapEvent } from './standing.ts';
import { quietMsOf } from './steadiness.ts';
import { CHANGED, GONE, type ReapScene, type WatchedRound } from './watch-round.ts';

/** What a closer look found of the nominee; no entry where it is not there. */
export interface ExaminedNominee {
  readonly entry: SessionEntry | null;
  readonly screens: ScreenMark;
  readonly now: Moment;
}

/** What is to be done now: at most one session is closed in a round. */
export type ReapAction =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'close'; readonly entry: SessionEntry; readonly relief: Relief };

/** A round as it was decided. */
export interface ConcludedRound {
  readonly memory: ReaperMemory;
  readonly events: readonly ReapEvent[];
  readonly action: ReapAction;
}

const NOTHING: ReapAction = { kind: 'nothing' };

/** Ends a round by what the closer look found. Whatever is not exactly as it was seen before keeps the session. */
export function concludeRound(
  { memory, events, nominee }: WatchedRound,
  scene: ReapScene,
  examined: ExaminedNominee | null,
): ConcludedRound {
  if (nominee === null || examined === null) return { memory, events, action: NOTHING };
  const then = { ...scene, now: examined.now };
  const concluded =
    nominee.purpose === 'choose'
      ? choose(memory, nominee.key, nominee.steady, then, examined)
      : close(memory, nominee.chosen, then, examined);
  return { ...concluded, events: [...events, ...concluded.events] };
}

function choose(
  memory: ReaperMemory,
  key: string,
  { mark }: Steady,
  scene: ReapScene,
  { entry, screens }: ExaminedNominee,
): ConcludedRound {
  if (entry === null) return watchAnew(memory, key);
  const { relief, guard } = judge(entry, scene);
  if (guard !== null) return veto(memory, entry, guard, scene);
  if (fingerprintOf(entry, screens) !== mark) return watchAnew(memory, key);
  const { name, memoryBytes } = entry;
  const { at, awakeMs: sinceMs } = scene.now;
  const deepMark = deepFingerprintOf(entry, screens);
  const chosen: Chosen = { key, name, memoryBytes, relief, mark, deepMark, at, sinceMs };
  const event = reapEvent('chosen', scene, chosen, { code: relief, text: WHY[relief] });
  return { memory: { ...memory, chosen }, events: [event], action: NOTHING };
}

function watchAnew(memory: ReaperMemory, key: string): ConcludedRound {
  const steady = new Map(memory.steady);
  steady.delete(key);
  return { memory: { ...memory, steady }, events: [], action: NOTHING };
}

// A closer look found what the others could not see: it is asked again later, and others come first.
function veto(
  memory: ReaperMemory,
  { key, name, memoryBytes }: SessionEntry,
  guard: ReapGuard,
  scene: ReapScene,
): ConcludedRound {
  const known = [...(memory.told.get(key) ?? [])];
  const told = new Map(memory.told).set(key, new Set([...known, guard.code]));
  const event = reapEvent('vetoed', scene, { key, name, memoryBytes }, guard);
  return {
    memory: setAside({ ...memory, told }, key, scene.now.awakeMs),
    events: known.includes(guard.code) ? [] : [event],
    action: NOTHING,
  };
}

function close(
  memory: ReaperMemory,
  chosen: Chosen,
  scene: ReapScene,
  { entry, screens }: ExaminedNominee,
): ConcludedRound {
  const free = { ...memory, chosen: null };
  const spared = (why: ReapGuard): ConcludedRound => {
    return { memory: free, events: [reapEvent('spared', scene, chosen, why)], action: NOTHING };
  };
  if (entry === null) return spared(GONE);
  const { relief, guard } = judge(entry, scene);
  if (guard !== null) return spared(guard);
  const hasStirred = scene.now.awakeMs - quietMsOf(entry) > chosen.sinceMs;
  if (hasStirred || deepFingerprintOf(entry, screens) !== chosen.deepMark) return spared(CHANGED);
  if (scene.mode === 'enforce') return { memory, events: [], action: { kind: 'close', entry, relief } };
  const would = { ...chosen, relief, memoryBytes: entry.memoryBytes };
  return {
    memory: {
      ...free,
      named: new Set([...memory.named, chosen.key]),
      simulated: [...memory.simulated, scene.now.awakeMs],
      settledMs: scene.now.awakeMs + scene.policy.settleMs,
    },
    events: [reapEvent('would-close', scene, would, { code: relief, text: WHY[relief] })],
    action: NOTHING,
  };
}

function judge(entry: SessionEntry, { tier, now, policy }: ReapScene): Judgement {
  return judgeRelief(entry, { tier, now, policy, isExamined: true });
}

const WHY: Readonly<Record<Relief, string>> = {
  'retention-over': 'its work was declared complete, and the time for which it was kept is over',
  'safe-to-close': 'it is finished, and nothing would be lost',
  'long-idle': 'its agent is idle and can be resumed; unsaved work stays on the disk',
};
