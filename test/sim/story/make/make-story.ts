import { Rng } from '../../machine/rng.ts';
import type { Scale } from '../../run/job.ts';
import { MINUTE, SECOND } from '../kind.ts';
import { KINDS, type KindName } from '../kinds/index.ts';
import { MOMENTS } from '../moments.ts';
import { HOUR_MS, type Story, type StoryEvent, type StoryFields } from '../story.ts';
import { drawConfig } from './config.ts';
import { PLOTS } from './plots.ts';
import { ANY_DAY, PROFILES, type Profile } from './profiles.ts';

/** The story of a seed. Each event draws from a chance of its own, so that none shifts another. */
export function makeStory(seed: number, { sessions, hours }: Scale): Story {
  const rng = new Rng(`story ${seed}`);
  const profiles = [ANY_DAY, ...mixed(rng.fork('profiles'))];
  const when = daytime(rng.fork('when'), hours);
  const events = [
    ...opening(rng.fork('opening'), sessions),
    ...sum(profiles, 'perSession').flatMap(([kind, rate]) =>
      drawn(rng, kind, rate * hours * sessions, when, (own) => ({ session: `s${own.int(0, sessions - 1)}` })),
    ),
    ...sum(profiles, 'perHour').flatMap(([kind, rate]) =>
      drawn(rng, kind, rate * hours, when, (own) => about(own, kind, sessions)),
    ),
    ...sum(profiles, 'aimed').flatMap(([kind, rate]) =>
      drawn(rng.fork('aimed'), kind, rate * hours, when, aim),
    ),
    ...plotted(rng.fork('plots'), sessions, hours, when),
  ];
  return {
    seed,
    sessions,
    hours,
    roundMs: drawRoundMs(rng.fork('machine')),
    config: drawConfig(rng.fork('config')),
    events: events.sort((a, b) => a.at - b.at),
  };
}

// Few machines have nothing to do but to look, and least of all those on which memory gets short: the rounds of most are dear.
// Such a world takes ten times as long to play as another one.
function drawRoundMs(rng: Rng): number {
  return rng.chance(0.04) ? 0.05 : Math.round(20 * 7 ** rng.next());
}

/** One to four kinds of days at once. */
function mixed(rng: Rng): Profile[] {
  const names = Object.keys(PROFILES);
  const count = rng.pick([1, 1, 2, 2, 3, 4] as const);
  return Array.from(
    { length: count },
    () => PROFILES[names[rng.int(0, names.length - 1)] as string] as Profile,
  );
}

function sum(profiles: readonly Profile[], part: keyof Profile): [KindName, number][] {
  const rates = new Map<KindName, number>();
  for (const profile of profiles) {
    for (const [kind, rate] of Object.entries(profile[part]) as [KindName, number][])
      rates.set(kind, Math.max(rate, rates.get(kind) ?? 0));
  }
  return [...rates];
}

type When = (rng: Rng) => number;

/** Most hours are quiet: most of what happens falls into some busy ones. */
function daytime(rng: Rng, hours: number): When {
  // An hour that begins too late would put all that it has into the last second.
  const busy = Array.from({ length: Math.ceil(hours / 6) }, () => rng.next() * Math.max(0, hours - 1));
  return (own) => {
    const hour = own.chance(0.85)
      ? (busy[own.int(0, busy.length - 1)] ?? 0) + own.next() * Math.min(1, hours)
      : own.next() * hours;
    const ms = Math.min(hour, hours * 0.999) * HOUR_MS;
    return Math.max(2 * MINUTE, Math.floor(ms / SECOND) * SECOND);
  };
}

function drawn(
  rng: Rng,
  kind: KindName,
  mean: number,
  when: When,
  more: (own: Rng) => StoryFields,
): StoryEvent[] {
  const of = rng.fork(kind);
  const count = Math.floor(mean * (0.5 + of.next()) + of.next());
  return Array.from({ length: count }, (_, index) => {
    const own = of.fork(index);
    return { at: when(own), kind, ...KINDS[kind].draw(own), ...more(own) };
  });
}

function plotted(rng: Rng, sessions: number, hours: number, when: When): StoryEvent[] {
  return PLOTS.flatMap(({ name, perHour, plot }) => {
    const of = rng.fork(name);
    const count = Math.floor(perHour * hours * (0.5 + of.next()) + of.next());
    return Array.from({ length: count }, (_, index) => {
      const own = of.fork(index);
      return plot(own, when(own), `s${own.int(0, sessions - 1)}`);
    }).flat();
  });
}

/** Kinds that are about no session. */
const ABOUT_NONE: ReadonlySet<string> = new Set([
  ...[
    'memory',
    'clock-step',
    'clock-drift',
    'suspend',
    'hooks-unheard',
    'fault',
    'disk',
    'power-loss',
    'ends-due',
  ],
  ...['up', 'mode', 'killed', 'rollcall-stopped', 'restarted', 'second-install'],
]);

function about(own: Rng, kind: KindName, sessions: number): StoryFields {
  if (kind === 'start') {
    // A new one, or one that takes the place of one that has gone.
    const session = `s${own.int(0, sessions + 4)}`;
    return { session, name: `work-${session.slice(1)}` };
  }
  return ABOUT_NONE.has(kind) ? {} : { session: `s${own.int(0, sessions - 1)}` };
}

function aim(own: Rng): StoryFields {
  const moment = own.pick([...MOMENTS, 'step', 'step', 'step', 'chosen', 'chosen', 'intent'] as [
    string,
    ...string[],
  ]);
  return {
    ...{
      session: 'it',
      moment,
      afterMs: own.chance(0.3) ? 0 : Math.round(own.next() ** 3 * (moment === 'chosen' ? 90 : 6) * SECOND),
    },
    ...(moment === 'step' && { nth: own.int(1, 14) }),
  };
}

/** What is there when the world begins: sessions, most of them in the care of rollcall, and its daemon. */
function opening(rng: Rng, sessions: number): StoryEvent[] {
  const events: StoryEvent[] = [
    { at: 0, kind: 'up', install: 'home' },
    { at: 500, kind: 'mode', mode: rng.chance(0.9) ? 'enforce' : 'shadow', install: 'home' },
  ];
  for (let index = 0; index < sessions; index += 1) {
    const own = rng.fork(index);
    const session = `s${index}`;
    events.push({ at: index * 200, kind: 'start', session, ...KINDS.start.draw(own), name: `work-${index}` });
    if (own.chance(0.8)) {
      const declare = { command: 'adopt', forMs: 0, byName: false, killAt: 0, install: '' };
      events.push({ at: 10 * SECOND + index * 300, kind: 'declare', session, ...declare });
    }
  }
  return events;
}
