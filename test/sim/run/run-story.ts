import { watchLaws } from '../laws/watch-laws.ts';
import type { JournalEntry } from '../machine/journal.ts';
import { Machine } from '../machine/machine.ts';
import { Rollcalls } from '../rollcall/rollcalls.ts';
import { HOUR_MS, type Story } from '../story/story.ts';
import { CALM_HOURS, calmDown } from './calm.ts';
import { keptIn } from './kept-in.ts';
import type { Outcome } from './outcome.ts';
import { withSeededChance } from './seeded-chance.ts';
import { type Stage, settingsIn } from './stage.ts';
import { createTrace } from './trace.ts';

/** Plays a story in a world of its own, with all laws looking on, to its end or to the first one that is broken. */
export async function runStory(story: Story, stage: Stage): Promise<Outcome> {
  const chance = withSeededChance(story.seed);
  try {
    const machine = new Machine(story.seed);
    machine.journal.isKept = false;
    const settings = settingsIn(story);
    const rollcalls = new Rollcalls(machine, settings, story.roundMs);
    let calmFromMs: number | null = null;
    const trace = createTrace();
    const count = createCount(machine);
    machine.journal.onEntry((entry) => {
      trace.add(entry);
      count.on(entry);
    });
    const watch = watchLaws({
      ...{ machine, settings, kept: keptIn(machine), calmFromMs: () => calmFromMs },
      onDaemon: (told) => {
        rollcalls.onDaemon = told;
      },
    });
    stage(story, { machine, rollcalls });
    const { calmHours = CALM_HOURS } = story;
    const isOver = () => watch.broken() !== null;
    await machine.clock.runUntil(story.hours * HOUR_MS, isOver);
    // A suspended machine may have slept beyond that.
    calmFromMs = machine.clock.ms;
    if (!isOver() && calmHours > 0) {
      calmDown(machine, rollcalls, story.seed % 2 === 1);
      await machine.clock.runUntil(calmFromMs + calmHours * HOUR_MS, isOver);
    }
    if (calmHours > 0) watch.end();
    const broken = watch.broken();
    return {
      hash: machine.journal.hash(),
      ...count.told(rollcalls),
      violation: broken && {
        law: broken.law.name,
        sentence: broken.law.sentence,
        at: broken.atMs,
        text: broken.text,
        trace: trace.lines(),
      },
    };
  } finally {
    chance.restore();
  }
}

/** What is counted, by what happened. */
const COUNTED: Partial<Record<JournalEntry['what'], string>> = {
  'session-started': 'sessions started',
  'turn-began': 'turns of agents',
  attached: 'visits of people',
  'power-lost': 'power losses',
  fault: 'faults',
  'seat-began': 'processes of rollcall',
};

function createCount({ clock, looked }: Machine) {
  const stats: Record<string, number> = {};
  let [steps, sessions, sessionMs, sinceMs] = [0, 0, 0, 0];
  const add = (name: string) => {
    stats[name] = (stats[name] ?? 0) + 1;
  };
  const settle = () => {
    sessionMs += sessions * (clock.ms - sinceMs);
    sinceMs = clock.ms;
  };
  return {
    on(entry: JournalEntry) {
      const name = COUNTED[entry.what];
      if (name !== undefined) add(name);
      if (entry.what === 'session-started' || entry.what === 'session-removed') {
        settle();
        sessions += entry.what === 'session-started' ? 1 : -1;
      }
      if (entry.what === 'server-ended' && entry.why === 'crash') add('crashes of tmux');
      if (entry.what === 'seat-ended') {
        steps += entry.steps;
        if (entry.how === 'killed') add('rollcalls killed');
      }
      if (entry.what === 'recorded' && entry.kind === 'receipt') add(`${entry.action} with a receipt`);
      if (entry.what === 'recorded' && entry.kind === 'intent') add(`${entry.action} intended`);
    },
    told(rollcalls: Rollcalls) {
      settle();
      for (const seat of rollcalls.seats.values()) steps += seat.steps;
      const looks = { 'looks at a server': looked.times, 'looks at a session': looked.sessions };
      return { steps, sessionHours: sessionMs / HOUR_MS, stats: { ...stats, ...looks } };
    },
  };
}
