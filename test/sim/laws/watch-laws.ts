import type { Settings } from '../../../src/config/settings.ts';
import type { SimAgent } from '../machine/agent.ts';
import type { By, Doing, JournalEntry } from '../machine/journal.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimDaemon } from '../rollcall/daemon.ts';
import { actOf } from './acts.ts';
import { Deeds } from './deeds.ts';
import { Homes } from './homes.ts';
import { LAWS } from './index.ts';
import type { Law, LawWatch, Verdict } from './law.ts';
import type { Kept, Scene, TakenRound } from './scene.ts';
import { Visits } from './visits.ts';

/** The first law that was broken. */
export interface Broken {
  readonly law: Law;
  readonly text: string;
  readonly atMs: number;
}

export interface Watch {
  broken(): Broken | null;
  /** Asks what has to be so in the end. */
  end(): void;
}

interface Given {
  readonly machine: Machine;
  readonly settings: Settings;
  readonly kept: Kept;
  calmFromMs(): number | null;
  /** Calls back for every daemon that begins; nobody where the world has none. */
  onDaemon?(told: (daemon: Pick<SimDaemon, 'seat' | 'desk'>) => void): void;
}

/** Has all laws look on from now on. The first one that is broken is kept; after that nothing is asked any more. */
export function watchLaws(
  { machine, settings, kept, calmFromMs, onDaemon }: Given,
  laws: readonly Law[] = LAWS,
): Watch {
  const deeds = new Deeds(machine, kept);
  const [homes, visits] = [new Homes(machine), new Visits(machine.clock)];
  const agents = new Map<string, SimAgent>();
  const seats = new Map<string, { readonly sinceMs: number }>();
  const rounds = new Map<string, TakenRound>();
  const scene: Scene = { machine, settings, kept, calmFromMs, deeds, homes, visits, agents, seats, rounds };
  const watches = laws.map((law): readonly [Law, LawWatch] => [law, law.watch(scene)]);
  let broken: Broken | null = null;

  const ask = (question: (watch: LawWatch) => Verdict | undefined) => {
    for (const [law, watch] of watches) {
      if (broken !== null) return;
      const text = question(watch) ?? null;
      if (text !== null) broken = { law, text, atMs: machine.clock.ms };
    }
  };

  const meet = () => {
    for (const agent of machine.agents) {
      const { pid, startTicks } = agent.process;
      agents.set(`${pid}.${startTicks}`, agent);
    }
  };

  onDaemon?.(({ seat, desk }) => {
    desk.onRound((round) => {
      // What a killed one has begun comes to its end, and tells nobody.
      if (!seats.has(seat.name)) return;
      rounds.set(seat.name, { round, install: seat.install.name, atMs: machine.clock.awakeMs });
      ask((watch) => watch.onRound?.(round));
    });
  });

  machine.journal.onEntry((entry: JournalEntry) => {
    if (broken !== null) return;
    if (entry.what === 'agent-started') meet();
    if (entry.what === 'seat-began') seats.set(entry.seat, { sinceMs: machine.clock.awakeMs });
    if (entry.what === 'seat-ended') {
      seats.delete(entry.seat);
      rounds.delete(entry.seat);
    }
    deeds.on(entry);
    homes.on(entry);
    visits.on(entry);
    ask((watch) => watch.on?.(entry));
  });
  machine.journal.onDoing((by: By, doing: Doing) => {
    if (broken !== null || !by.startsWith('rollcall:')) return;
    const act = actOf(scene, by, doing);
    ask((watch) => watch.before?.(act));
  });
  return {
    broken: () => broken,
    end: () => ask((watch) => watch.atEnd?.()),
  };
}
