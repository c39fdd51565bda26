import { afterClose, type ReapOutcome } from '../../core/reaper/after-close.ts';
import { budgetIn } from '../../core/reaper/budget.ts';
import { type ConcludedRound, concludeRound, type ExaminedNominee } from '../../core/reaper/conclude.ts';
import { NO_MEMORY, type ReaperMemory, setAside } from '../../core/reaper/memory.ts';
import { type ReapEvent, type Reaped, type ReaperStanding, reapEvent } from '../../core/reaper/standing.ts';
import { survey } from '../../core/reaper/survey.ts';
import { pendingOf, type ReapScene, verdictsOf, watchRound } from '../../core/reaper/watch-round.ts';
import { visible } from '../../core/text/visible.ts';
import type { Reaper } from '../daemon/parts.ts';
import { followClose, type RunningClose } from './close-by-itself.ts';
import { createModeWatch, type EffectiveMode } from './effective-mode.ts';
import { notesOf } from './notes.ts';
import type { ReaperParts } from './parts.ts';
import { reap } from './reap.ts';
import { screenMarks } from './screen-marks.ts';

type Seen = Parameters<Reaper['round']>[0];
type Told = Awaited<ReturnType<Reaper['round']>>;

/** Screens of no more than these are watched at once; the others follow as the first ones go. */
const MOST_WATCHED = 100;

interface Reaping extends RunningClose<ReapOutcome> {
  readonly reaped: Reaped;
  readonly scene: ReapScene;
}

/** A reaper that remembers from round to round, and nothing beyond its own life. */
export function createReaper(parts: ReaperParts): Reaper {
  const modes = createModeWatch(parts.modes);
  let memory: ReaperMemory = NO_MEMORY;
  let last: EffectiveMode | null = null;
  let lastFailure: string | null = null;
  let isStopped = false;
  let underWay: Promise<unknown> = Promise.resolve();
  let closing: Reaping | null = null;

  const decide = async (seen: Seen): Promise<Told> => {
    const settled = await settle();
    const mode = modes.read();
    const switched = switchedEvent(last, mode, seen);
    last = mode;
    const scene = await sceneOf(parts, memory, mode, seen);
    const isOthersTurn = closing === null && parts.turn?.isTaken() === true;
    const events = closing === null && !isOthersTurn ? await goOn(scene) : [];
    const standing = standingOf(parts, memory, scene, modes.read());
    return {
      standing: { ...standing, isClosing: closing !== null },
      events: [...settled, ...switched, ...events],
    };
  };

  const goOn = async (scene: ReapScene): Promise<readonly ReapEvent[]> => {
    const watched = watchRound(memory, scene);
    const { nominee } = watched;
    const examined = nominee === null || isStopped ? null : await examine(parts, scene, nominee.key);
    const { action, events, ...concluded } = await recorded(
      parts,
      memory,
      concludeRound(watched, scene, examined),
      scene,
    );
    memory = concluded.memory;
    // Somebody may have switched it off while it looked.
    const mayAct = !isStopped && modes.read().mode === 'enforce';
    if (action.kind === 'close' && mayAct) {
      const { key, name, memoryBytes } = action.entry;
      // Free since this round began: rounds come one after the other.
      const release = parts.turn?.take() ?? undefined;
      const close = followClose<ReapOutcome>(reap(parts, action, scene.tier), release);
      closing = { ...close, reaped: { key, name, memoryBytes, relief: action.relief }, scene };
    }
    return events;
  };

  // Takes note of a close that has ended.
  const settle = async (): Promise<readonly ReapEvent[]> => {
    const outcome = closing?.outcome() ?? null;
    if (closing === null || outcome === null) return [];
    const moment = { ...closing.scene, now: parts.now() };
    const after = afterClose(memory, closing.reaped, outcome, moment, parts.policy);
    closing = null;
    memory = after.memory;
    if (after.breaker !== null) modes.trip(after.breaker);
    await parts.record(notesOf(after.events)).catch(() => {});
    return after.events;
  };

  return {
    async round(seen) {
      const round = decide(seen).then(
        (told) => {
          lastFailure = null;
          return told;
        },
        (error: unknown) => {
          const text = visible(error instanceof Error ? error.message : String(error), 600);
          const isTold = lastFailure === text;
          lastFailure = text;
          return failedRound(parts, modes.read(), seen, isTold ? null : text);
        },
      );
      underWay = round;
      return round;
    },
    async stop() {
      isStopped = true;
      await underWay;
      await closing?.over;
      await settle();
      memory = NO_MEMORY;
    },
  };
}

async function sceneOf(
  { policy, screens, budgets }: ReaperParts,
  memory: ReaperMemory,
  { mode }: EffectiveMode,
  { roll, pressure: { tier }, now }: Seen,
): Promise<ReapScene> {
  const surveyed = survey(roll.sessions, { tier, now, policy }, memory);
  const isActive = mode !== 'off' && tier !== 'normal';
  const watched = isActive ? surveyed.candidates.slice(0, MOST_WATCHED).map(({ entry }) => entry) : [];
  return {
    ...{ mode, tier, now, policy, survey: surveyed },
    screens: await screenMarks(screens, watched),
    budget: budgetIn(mode, budgets.read(), memory.simulated, now),
  };
}

async function examine(
  parts: ReaperParts,
  { survey: { all } }: ReapScene,
  key: string,
): Promise<ExaminedNominee> {
  const socketPaths = all.flatMap(({ entry }) => (entry.key === key ? [entry.server.socketPath] : []));
  const { sessions } = await parts.look({
    servers: socketPaths,
    inspect: (found) => found.filter((entry) => entry.key === key),
  });
  const entry = sessions.find((one) => one.key === key) ?? null;
  const marks = await screenMarks(parts.screens, entry === null ? [] : [entry]);
  return { entry, screens: marks.get(key) ?? null, now: parts.now() };
}

// Nothing is chosen without a record of it.
async function recorded(
  parts: ReaperParts,
  before: ReaperMemory,
  concluded: ConcludedRound,
  scene: ReapScene,
): Promise<ConcludedRound> {
  const notes = notesOf(concluded.events);
  if (notes.length === 0) return concluded;
  try {
    await parts.record(notes);
    return concluded;
  } catch (error) {
    const chosen = concluded.events.find(({ kind }) => kind === 'chosen')?.session ?? null;
    if (chosen === null || before.chosen !== null) return concluded;
    const why = { code: 'unrecorded', text: visible((error as Error).message, 600) };
    return {
      memory: setAside({ ...concluded.memory, chosen: null }, chosen.key, scene.now.awakeMs),
      events: [
        ...concluded.events.filter(({ kind }) => kind !== 'chosen'),
        reapEvent('skipped', scene, chosen, why),
      ],
      action: { kind: 'nothing' },
    };
  }
}

function standingOf(
  { policy }: ReaperParts,
  memory: ReaperMemory,
  scene: ReapScene,
  { mode, wanted, breaker, problem }: EffectiveMode,
): ReaperStanding {
  const { tier, budget, now } = scene;
  return {
    ...{ mode, wanted, tier, breaker, budget },
    pending: pendingOf(memory, policy, now),
    sessions: verdictsOf(memory, scene),
    ...(problem !== null && { problem }),
  };
}

function failedRound(
  { policy: { perHour } }: ReaperParts,
  { mode, wanted, breaker }: EffectiveMode,
  { pressure: { tier }, now }: Seen,
  text: string | null,
): Told {
  const budget = { perHour, used: 0, freeAt: null, problem: text ?? 'the round failed' };
  const standing = { mode, wanted, tier, breaker, budget, pending: null, sessions: [] };
  const why = { code: 'round-failed', text: text ?? '' };
  return { standing, events: text === null ? [] : [reapEvent('skipped', { mode, tier, now }, null, why)] };
}

function switchedEvent(
  last: EffectiveMode | null,
  { mode, wanted }: EffectiveMode,
  { pressure: { tier }, now }: Seen,
): ReapEvent[] {
  if (last === null || last.wanted === wanted) return [];
  const why = { code: wanted, text: `the mode was ${last.wanted} and is ${wanted}` };
  return [reapEvent('mode-changed', { mode, tier, now }, null, why)];
}
