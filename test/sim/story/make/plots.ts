import type { Rng } from '../../machine/rng.ts';
import { MINUTE, SECOND, time } from '../kind.ts';
import { KINDS, type KindName } from '../kinds/index.ts';
import type { StoryEvent, StoryFields } from '../story.ts';

/** Events that belong together, as they happen to people: where they begin, and in which session. */
export type Plot = (rng: Rng, at: number, session: string) => StoryEvent[];

/** What may still be there when somebody believes that a session is finished: each alone, or one after the other. */
const STILL_THERE = {
  work: [['background'], ['background'], ['child'], ['child'], ['turn'], ['dialog']],
  unsent: [['draft'], ['at-shell']],
  people: [['visits'], ['visits'], ['reads'], ['groups'], ['split'], ['program']],
  unsaved: [['git'], ['git'], ['conversation']],
  unruly: [['manners'], ['manners', 'child']],
  unseen: [['status-late', 'turn'], ['turn', 'status-late'], ['hooks', 'turn'], ['transcript-half']],
  wanted: [['declare']],
} as const satisfies Record<string, readonly (readonly KindName[])[]>;

const WHAT = [
  ...(['work', 'work', 'work', 'unsent', 'people', 'people'] as const),
  ...(['unsaved', 'unruly', 'unruly', 'unseen', 'unseen', 'wanted'] as const),
] as const;

type Some<T> = readonly [T, ...T[]];

const HELD = ['hold', 'hold', 'retain', 'retain', 'adopt'] as const;

/**
 * Something is still going on in a session, or somebody wants it kept, and another one ends it: a person who did not look, a
 * script, whoever declares it complete, or memory that gets short.
 */
const overlooked: Plot = (rng, at, session) => {
  const what = rng.pick(WHAT);
  const kinds = rng.pick(STILL_THERE[what] as readonly (readonly KindName[])[] as Some<KindName[]>);
  // A person may leave work as it is.
  const who = rng.pick(what === 'unsaved' ? BY_ITSELF : WHO);
  // People act on what they have just seen; all others wait until it has rested.
  const gapMs = who === 'person' ? time(rng, SECOND, 15 * MINUTE) : rng.int(1, 90) * MINUTE;
  const before = kinds.map((kind, index) => {
    const own = rng.fork(`${kind} ${index}`);
    const drawn = KINDS[kind].draw(own);
    // Mostly it lasts until then, and longer.
    const isOver = kind === 'visits' || (kind === 'turn' && index < kinds.length - 1);
    const lasts = own.chance(0.7) && !isOver && 'forMs' in drawn;
    return {
      ...{ at: at + index * own.int(0, 3) * SECOND, kind, ...drawn, session },
      ...(lasts && { forMs: gapMs + time(own, MINUTE, 120 * MINUTE) }),
      ...(kind === 'status-late' && { lateMs: -1 }),
      ...(kind === 'declare' && { command: own.pick(HELD), killAt: 0 }),
    };
  });
  return [
    goesOn(rng.fork('back'), at, session),
    ...before,
    ...ending(rng.fork('ending'), at + gapMs, session, who),
  ];
};

/** Where it is asleep or gone, somebody has come back to it some minutes before. */
function goesOn(rng: Rng, at: number, session: string): StoryEvent {
  const drawn = KINDS['come-back'].draw(rng);
  const backAt = Math.max(MINUTE, at - rng.int(3, 15) * MINUTE);
  return { at: backAt, kind: 'come-back', ...drawn, forMs: 20 * SECOND, session };
}

/** Who ends a session: mostly somebody who names it. */
const WHO = [
  ...(['person', 'person', 'person', 'person', 'person', 'person'] as const),
  ...(['script', 'schedule', 'itself', 'itself', 'memory'] as const),
] as const;

const BY_ITSELF = ['script', 'schedule', 'itself', 'itself'] as const;

function ending(
  rng: Rng,
  at: number,
  session: string,
  who: (typeof WHO)[number] = rng.pick(WHO),
): StoryEvent[] {
  if (who === 'person' || who === 'script') {
    const how = who === 'script' ? { how: 'automatic' } : {};
    return [{ at, kind: 'ends', ...KINDS.ends.draw(rng), ...how, session }];
  }
  if (who === 'schedule') return [{ at, kind: 'ends-due', ...KINDS['ends-due'].draw(rng) }];
  if (who === 'itself') {
    const said = { command: 'complete', byName: false, killAt: 0, session };
    return [{ at, kind: 'declare', ...KINDS.declare.draw(rng), ...said }];
  }
  return [shortMemory(rng, at)];
}

/** For as long as it takes to find who can go, or for the whole evening. */
function shortMemory(rng: Rng, at: number): StoryEvent {
  return { at, kind: 'memory', level: 'critical', forMs: rng.int(10, 60) * MINUTE, waves: 1 };
}

/** Somebody who got no answer soon enough asks again, or asks for another thing. */
const impatient: Plot = (rng, at, session) => {
  const first = ending(rng.fork('first'), at, session);
  const backAt = at + time(rng, SECOND, 20 * MINUTE);
  const commands = Array.from({ length: rng.int(2, 3) }, (_, index): StoryEvent => {
    const own = rng.fork(index);
    return {
      ...{ at: backAt + index * time(own, SECOND, MINUTE), kind: 'brings', ...KINDS.brings.draw(own) },
      ...{ killAt: 0, session },
    };
  });
  return [...first, ...commands];
};

/** A close is cut short by a kill, and whoever comes next finds what it left. */
const cutShort: Plot = (rng, at, session) => {
  const drawn = KINDS.ends.draw(rng);
  const next = rng.pick(['ends', 'brings', 'declare', 'come-back'] as const);
  const nextAt = at + time(rng, SECOND, 10 * MINUTE);
  const cut: StoryFields = { how: 'plain', killAt: rng.int(20, 400), session };
  return [
    { at, kind: 'ends', ...drawn, ...cut },
    { at: nextAt, kind: next, ...KINDS[next].draw(rng.fork('next')), session },
  ];
};

/** While one session is being ended, somebody declares something about it or about another one. */
const meanwhile: Plot = (rng, at, session) => {
  const moment = rng.pick(['intent', 'asked', 'entered', 'left', 'signalled'] as const);
  const declared = KINDS.declare.draw(rng.fork('declare'));
  const afterMs = rng.chance(0.5) ? 0 : rng.int(10, 3000);
  return [
    { at, kind: 'declare', ...declared, session, moment, afterMs, killAt: 0 },
    ...ending(rng.fork('ending'), at, session),
  ];
};

/** How many of each begin in an hour, in the whole world. */
export const PLOTS: readonly { readonly name: string; readonly perHour: number; readonly plot: Plot }[] = [
  { name: 'overlooked', perHour: 4, plot: overlooked },
  { name: 'impatient', perHour: 0.7, plot: impatient },
  { name: 'cut-short', perHour: 0.3, plot: cutShort },
  { name: 'meanwhile', perHour: 0.5, plot: meanwhile },
];
