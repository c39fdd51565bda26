import { HOUR_MS, type Story, type StoryEvent } from '../story/story.ts';
import type { Outcome, RunStory, Violation } from './outcome.ts';
import { smallerValues } from './smaller-values.ts';

/** How long one may try to make a story shorter. */
export interface ShrinkBounds {
  readonly mostRuns: number;
  /** Whether the time for it is over. */
  isOver?(): boolean;
}

/** A story that still breaks the same law, and how it ended. */
export interface Shrunk {
  readonly story: Story;
  readonly outcome: Outcome & { readonly violation: Violation };
  readonly runs: number;
}

/**
 * Makes a story shorter as long as it breaks the same law: whole sessions and kinds of events first, then pieces of the list,
 * then sessions, hours and settings, then numbers within events. Null where it breaks no law.
 */
export async function shrink(story: Story, run: RunStory, bounds: ShrinkBounds): Promise<Shrunk | null> {
  const first = await run(story);
  if (first.violation === null) return null;
  const { law } = first.violation;
  let best = { story, outcome: first as Shrunk['outcome'] };
  let runs = 1;
  const isSpent = () => runs >= bounds.mostRuns || bounds.isOver?.() === true;
  const isBetter: Try = async (candidate) => {
    if (isSpent()) return false;
    runs += 1;
    const outcome = await run(candidate);
    if (outcome.violation?.law !== law) return false;
    best = { story: candidate, outcome: outcome as Shrunk['outcome'] };
    return true;
  };
  const now = () => best;
  await withoutRest(now, isBetter);
  for (let before = ''; before !== sizeOf(best.story) && !isSpent(); ) {
    before = sizeOf(best.story);
    await withoutGroups(now, isBetter);
    await withoutPieces(now, isBetter, isSpent);
    await withoutRest(now, isBetter);
    await withLess(now, isBetter);
    await withPlainerEvents(now, isBetter, isSpent);
  }
  return { ...best, runs };
}

type Try = (candidate: Story) => Promise<boolean>;
type Best = () => { readonly story: Story; readonly outcome: { readonly violation: Violation } };

function sizeOf({ sessions, hours, config, events }: Story): string {
  return JSON.stringify([sessions, hours, config, events]);
}

/** What follows the violation cannot have caused it; a law about the end needs only that the end comes. */
async function withoutRest(best: Best, isBetter: Try): Promise<void> {
  const { story, outcome } = best();
  const { at } = outcome.violation;
  const events = story.events.filter((event) => event.at <= at);
  const last = Math.max(0, ...events.map((event) => event.at));
  for (const until of [last, at]) {
    const hours = Math.min(story.hours, Math.max(1, Math.ceil((until / HOUR_MS) * 4)) / 4);
    if (hours === story.hours && events.length === story.events.length) continue;
    if (await isBetter({ ...story, hours, events })) return;
  }
}

// Everything about one session, everything of one kind: most of a story has nothing to do with it.
async function withoutGroups(best: Best, isBetter: Try): Promise<void> {
  const groups = new Map<string, (event: StoryEvent) => boolean>();
  for (const event of best().story.events) {
    for (const [field, value] of Object.entries(event)) {
      if (typeof value !== 'string') continue;
      groups.set(`${field}=${value}`, (one) => one[field] === value);
    }
  }
  for (const isIn of groups.values()) {
    const { story } = best();
    const events = story.events.filter((event) => !isIn(event));
    if (events.length < story.events.length) await isBetter({ ...story, events });
  }
}

async function withoutPieces(best: Best, isBetter: Try, isSpent: () => boolean): Promise<void> {
  for (
    let size = Math.ceil(best().story.events.length / 2);
    size >= 1 && !isSpent();
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < best().story.events.length && !isSpent(); ) {
      const { story } = best();
      const events = [...story.events.slice(0, at), ...story.events.slice(at + size)];
      if (!(await isBetter({ ...story, events }))) at += size;
    }
  }
}

async function withLess(best: Best, isBetter: Try): Promise<void> {
  for (const sessions of smallerValues(best().story.sessions)) {
    if (await isBetter({ ...best().story, sessions })) break;
  }
  for (const name of Object.keys(best().story.config)) {
    const { [name]: _, ...config } = best().story.config;
    await isBetter({ ...best().story, config });
  }
}

async function withPlainerEvents(best: Best, isBetter: Try, isSpent: () => boolean): Promise<void> {
  for (let index = 0; index < best().story.events.length && !isSpent(); index += 1) {
    // Its time last: then it may have another place.
    const fields = Object.keys(best().story.events[index] as StoryEvent).sort(
      (a, b) => Number(a === 'at') - Number(b === 'at'),
    );
    for (const field of fields) {
      const event = best().story.events[index] as StoryEvent;
      const value = event[field];
      if (typeof value !== 'number') continue;
      for (const plainer of field === 'at' ? rounderTimes(value) : smallerValues(value)) {
        const events = best().story.events.with(index, { ...event, [field]: plainer });
        if (await isBetter({ ...best().story, events: events.toSorted((a, b) => a.at - b.at) })) break;
      }
    }
  }
}

/** The same time, told shorter; never one that would change the order by much. */
function rounderTimes(at: number): number[] {
  const steps = [HOUR_MS, HOUR_MS / 6, 60_000, 1000];
  return [...new Set(steps.map((step) => Math.floor(at / step) * step))].filter((one) => one !== at);
}
