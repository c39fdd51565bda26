import type { Tier } from '../pressure/tier.ts';
import { isGone } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import { budgetGuard, withinHour } from './budget.ts';
import { fingerprintOf, type ScreenMark } from './fingerprint.ts';
import { betweenEpisodes, type Chosen, pruned, type ReaperMemory, type Steady } from './memory.ts';
import type { ReaperPolicy } from './policy.ts';
import {
  type PendingReap,
  type ReapBudget,
  type ReapEvent,
  type ReapGuard,
  type ReapMode,
  type ReapMoment,
  type ReapVerdict,
  reapEvent,
} from './standing.ts';
import { quietMsOf, watchGuard, watchOn } from './steadiness.ts';
import type { Survey, Surveyed } from './survey.ts';

/** The others follow in the next rounds. */
const MOST_AT_ONCE = 50;

/**
 * Guards that keep what is at rest and could have gone. Each is told once for a session and an episode of pressure,
 * however often it comes and goes: a veto on every round would flood whatever records it.
 */
function vetoesOf(
  memory: Pick<ReaperMemory, 'told'>,
  scene: ReapMoment & { readonly survey: Survey; readonly budget: ReapBudget },
): { readonly told: ReaperMemory['told']; readonly events: readonly ReapEvent[] } {
  const told = new Map(memory.told);
  const events: ReapEvent[] = [];
  for (const one of scene.survey.all) {
    const guard = vetoOn(one, scene.budget);
    if (guard === null || events.length === MOST_AT_ONCE) continue;
    const { key, name, memoryBytes } = one.entry;
    const known = told.get(key) ?? new Set<string>();
    if (known.has(guard.code)) continue;
    told.set(key, new Set([...known, guard.code]));
    events.push(reapEvent('vetoed', scene, { key, name, memoryBytes }, guard));
  }
  return { told, events };
}

function vetoOn({ entry, judgement }: Surveyed, budget: ReapBudget): ReapGuard | null {
  const { activity, lifecycle } = entry;
  const isAtRest = activity === 'idle' || activity === 'exited';
  if (!isAtRest || lifecycle === 'closing' || isGone(entry)) return null;
  return judgement.guard ?? budgetGuard(budget);
}

/** Everything a round is decided on. */
export interface ReapScene extends ReapMoment {
  readonly survey: Survey;
  /** What the candidates' screens showed; those that are not in it were not captured. */
  readonly screens: ReadonlyMap<string, ScreenMark>;
  /** As this mode sees it. */
  readonly budget: ReapBudget;
  readonly policy: ReaperPolicy;
}

/** The one session that deserves a closer look in this round, and what for. */
export type Nominee =
  | { readonly purpose: 'choose'; readonly key: string; readonly steady: Steady }
  | { readonly purpose: 'close'; readonly key: string; readonly chosen: Chosen };

/** A round before its closer look. */
export interface WatchedRound {
  readonly memory: ReaperMemory;
  readonly events: readonly ReapEvent[];
  readonly nominee: Nominee | null;
}

/** Goes on watching: who is as before, who is spared, who is next. Nothing is chosen or closed without a closer look. */
export function watchRound(before: ReaperMemory, scene: ReapScene): WatchedRound {
  const { mode, tier, now } = scene;
  const idle = restOf(mode, tier, before);
  if (idle !== null) return standDown({ ...before, mode }, idle, scene);
  const seen = watched(before, scene);
  const spared = spare(seen, scene);
  const vetoes = vetoesOf(seen, scene);
  const memory = {
    ...{ ...seen, told: vetoes.told, chosen: spared.chosen },
    simulated: withinHour(seen.simulated, now.awakeMs),
  };
  return { memory, events: [...spared.events, ...vetoes.events], nominee: nomineeOf(memory, scene) };
}

function spare({ chosen }: ReaperMemory, scene: ReapScene) {
  const why = chosen && whySpared(chosen, scene);
  if (why === null) return { chosen, events: [] };
  return { chosen: null, events: [reapEvent('spared', scene, chosen, why)] };
}

// Nothing is reaped, and what was chosen is dropped.
function standDown(memory: ReaperMemory, why: ReapGuard, scene: ReapScene): WatchedRound {
  const { chosen } = memory;
  const events = chosen === null ? [] : [reapEvent('spared', scene, chosen, why)];
  return { memory: betweenEpisodes(memory), events, nominee: null };
}

// Another mode begins with nothing: what shadow named has to be proven again before it is closed.
function restOf(mode: ReapMode, tier: Tier, before: ReaperMemory): ReapGuard | null {
  if (tier === 'normal') return { code: 'pressure-over', text: 'memory is not short any more' };
  const isSwitched = before.mode !== null && before.mode !== mode;
  return isSwitched || mode === 'off' ? { code: 'mode-changed', text: `the mode is ${mode} now` } : null;
}

function watched(before: ReaperMemory, { survey, screens, now, mode }: ReapScene): ReaperMemory {
  const keys = new Set(survey.all.map(({ entry }) => entry.key));
  const steady = survey.candidates.flatMap(({ entry }): [string, Steady][] => {
    const screen = screens.get(entry.key) ?? null;
    const one = watchOn(before.steady.get(entry.key), entry, screen, now);
    return one === null ? [] : [[entry.key, one]];
  });
  return {
    ...{ ...before, mode, steady: new Map(steady) },
    asides: pruned(before.asides, keys),
    told: pruned(before.told, keys),
    named: new Set([...before.named].filter((key) => keys.has(key))),
  };
}

/** What happened to a chosen session since; null while it stands as it stood. */
function whySpared(chosen: Chosen, scene: ReapScene): ReapGuard | null {
  const { survey, screens, now, budget } = scene;
  const found = survey.all.find(({ entry }) => entry.key === chosen.key);
  if (found === undefined) return GONE;
  const { entry, judgement } = found;
  if (judgement.guard !== null) return judgement.guard;
  const screen = screens.get(chosen.key) ?? null;
  if (screen === null) return { code: 'screen-unseen', text: 'its screen cannot be seen' };
  const hasStirred = now.awakeMs - quietMsOf(entry) > chosen.sinceMs;
  if (hasStirred || fingerprintOf(entry, screen) !== chosen.mark) return CHANGED;
  return budgetGuard(budget);
}

export const GONE: ReapGuard = { code: 'gone', text: 'it is not there any more' };

export const CHANGED: ReapGuard = { code: 'changed', text: 'something happened in it during its grace' };

function nomineeOf(memory: ReaperMemory, scene: ReapScene): Nominee | null {
  const { now, policy } = scene;
  const { chosen } = memory;
  if (chosen !== null) {
    const isOver = now.awakeMs - chosen.sinceMs >= policy.graceMs;
    return isOver ? { key: chosen.key, purpose: 'close', chosen } : null;
  }
  for (const { entry } of scene.survey.candidates) {
    const { key } = entry;
    const steady = memory.steady.get(key);
    if (steady && timeGuard(key, memory, scene) === null) return { key, purpose: 'choose', steady };
  }
  return null;
}

/** What keeps a candidate for now: it was refused, it is still watched, something was just closed, the hour is used up. */
export function timeGuard(key: string, memory: ReaperMemory, scene: ReapScene): ReapGuard | null {
  const { now, policy, budget } = scene;
  const aside = memory.asides.get(key);
  if (aside !== undefined && now.awakeMs < aside.untilMs) {
    return { code: 'set-aside', text: 'it could not be closed a while ago, and is left alone for some time' };
  }
  const unsure = watchGuard(memory.steady.get(key), policy, now) ?? budgetGuard(budget);
  if (unsure !== null) return unsure;
  if (now.awakeMs >= memory.settledMs) return null;
  return { code: 'settling', text: 'something was just closed: pressure is measured again first' };
}

/** The reaper's word on every session. */
export function verdictsOf(memory: ReaperMemory, scene: ReapScene): ReapVerdict[] {
  return scene.survey.all.map((one) => {
    const { key, name, memoryBytes } = one.entry;
    const guard = guardOn(one, memory, scene);
    return { key, name, memoryBytes, guard, relief: guard === null ? one.judgement.relief : null };
  });
}

function guardOn({ entry, judgement }: Surveyed, memory: ReaperMemory, scene: ReapScene): ReapGuard | null {
  if (judgement.guard !== null) return judgement.guard;
  if (scene.mode === 'off') return { code: 'reaper-off', text: 'the reaper is off' };
  if (memory.named.has(entry.key)) {
    return { code: 'named', text: 'it would have been closed before: it is counted as gone' };
  }
  return memory.chosen?.key === entry.key ? null : timeGuard(entry.key, memory, scene);
}

/** The session that was chosen, and when its grace is over. */
export function pendingOf(
  { chosen }: ReaperMemory,
  { graceMs }: ReaperPolicy,
  now: Moment,
): PendingReap | null {
  if (chosen === null) return null;
  const { key, name, relief, at: decidedAt, sinceMs, memoryBytes } = chosen;
  const leftMs = Math.max(0, graceMs - (now.awakeMs - sinceMs));
  return { key, name, relief, decidedAt, dueAt: now.at + leftMs, memoryBytes };
}
