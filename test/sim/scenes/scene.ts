import type { JournalEntry } from '../machine/journal.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimSession } from '../machine/tmux-parts.ts';
import { runStory } from '../run/run-story.ts';
import { playStory } from '../story/play.ts';
import { HOUR_MS, type Story, type StoryEvent, type StoryFields } from '../story/story.ts';

export const SECOND = 1000;
export const MINUTE = 60_000;

/**
 * What has to be so at a time, beside all laws. `untouched`: rollcall has done nothing to it until then. `asleep`, `closed`: it was,
 * with a receipt. `rests`: one of the two. `gone`: it is, and no receipt tells of it yet.
 */
export interface Expected {
  readonly at: number;
  readonly session: string;
  readonly is: 'untouched' | 'asleep' | 'closed' | 'rests' | 'there' | 'gone';
}

/** Something that has happened to others, or can, told as a short story. */
export interface Scene {
  readonly name: string;
  /** What must hold, in one sentence. */
  readonly sentence: string;
  readonly story: Story;
  readonly expected: readonly Expected[];
}

interface Wish {
  readonly name: string;
  readonly sentence: string;
  readonly hours: number;
  /** What has to be so in the end is asked after so long; never where it is 0. */
  readonly calmHours?: number;
  readonly config?: StoryFields;
  readonly events: readonly StoryEvent[];
  readonly expected: readonly Expected[];
}

/** On a machine with much else to do: rounds come every few seconds, and playing them takes less time. */
const ROUND_MS = 150;

export function scene({ name, sentence, hours, config = {}, calmHours = 0, events, expected }: Wish): Scene {
  const sorted = [...events].sort((a, b) => a.at - b.at);
  return {
    name,
    sentence,
    expected,
    story: { seed: 1, sessions: 0, hours, calmHours, roundMs: ROUND_MS, config, events: sorted },
  };
}

/** Plays it; gives what did not hold, and how often rollcall did what. */
export async function playScene({
  story,
  expected,
}: Scene): Promise<{ readonly broken: readonly string[]; readonly done: ReadonlyMap<string, number> }> {
  const broken: string[] = [];
  const done = new Map<string, number>();
  const outcome = await runStory(story, (played, world) => {
    const { machine } = world;
    const deeds = watchDeeds(machine, done);
    const cast = playStory(played, world);
    for (const one of expected) {
      const isEnd = one.at >= story.hours * HOUR_MS;
      machine.clock.atMs(isEnd ? story.hours * HOUR_MS - 1 : one.at, () => {
        const is = standing(machine, cast.session(one.session), cast.keyOf(one.session), deeds);
        if (!FITS[one.is].includes(is))
          broken.push(`${one.session} is ${is} after ${one.at / MINUTE} min, not ${one.is}`);
      });
    }
  });
  if (outcome.violation !== null) broken.push(`${outcome.violation.law}: ${outcome.violation.text}`);
  return { broken, done };
}

type Standing = 'untouched' | 'touched' | 'asleep' | 'closed' | 'gone';

const FITS: Readonly<Record<Expected['is'], readonly Standing[]>> = {
  untouched: ['untouched'],
  asleep: ['asleep'],
  closed: ['closed'],
  gone: ['gone'],
  rests: ['asleep', 'closed'],
  there: ['untouched', 'touched', 'asleep'],
};

interface Deeds {
  readonly touched: Set<string>;
  readonly receipts: Map<string, string>;
}

function standing(
  machine: Machine,
  session: SimSession | undefined,
  key: string | null,
  { touched, receipts }: Deeds,
): Standing {
  const receipt = key === null ? undefined : receipts.get(key);
  if (session === undefined) return receipt === undefined ? 'gone' : 'closed';
  const panes = session.windows.flatMap((window) => window.panes);
  const isAsleep = panes.some(({ process }) => process.argv[3] === 'rollcall-sleeper');
  if (isAsleep && receipt === 'hibernate') return 'asleep';
  if (machine.isDown || !touched.has(session.key)) return 'untouched';
  return 'touched';
}

function watchDeeds({ journal }: Machine, done: Map<string, number>): Deeds {
  const deeds: Deeds = { touched: new Set(), receipts: new Map() };
  journal.onEntry((entry: JournalEntry) => {
    if (!entry.by.startsWith('rollcall:')) return;
    const add = (word: string) => done.set(word, (done.get(word) ?? 0) + 1);
    if (entry.what === 'typed' || entry.what === 'pressed' || entry.what === 'session-removed')
      deeds.touched.add(entry.key);
    if (entry.what === 'signalled') add(`signal ${entry.effect}`);
    if (entry.what === 'answered') add(`answer ${entry.command}: ${entry.answer.split(':')[0]}`);
    if (entry.what !== 'recorded') return;
    add(`${entry.kind} ${entry.action}`);
    if (entry.kind === 'receipt' && entry.key !== null) deeds.receipts.set(entry.key, entry.action);
  });
  return deeds;
}
