import type { Story, StoryEvent, StoryFields } from '../story/story.ts';

const SECOND = 1000;
const MINUTE = 60_000;

/** Everything is done within a minute. */
const QUICK = {
  ...{ 'reaper.idleAfter': 10 * SECOND, 'reaper.confirm': 5 * SECOND, 'reaper.grace': 5 * SECOND },
  ...{ 'reaper.settle': SECOND, recentInput: 10 * SECOND, idleAfter: 2 * MINUTE },
};

/** What stories are made of here: a session with an agent, which rollcall cares for, and memory that gets short. */
const begin = (session: string): StoryEvent => ({
  ...{ at: 0, kind: 'start', session, agent: 'full', layout: 'alone', by: 'person', name: session },
  ...{ server: 'default', mcp: 0 },
});
const declare = (at: number, session: string, command: string): StoryEvent => ({
  ...{ at, kind: 'declare', session, command, forMs: 60 * MINUTE, byName: false, killAt: 0, install: '' },
});
const UP: readonly StoryEvent[] = [
  { at: 0, kind: 'up', install: 'home' },
  { at: 500, kind: 'mode', mode: 'enforce', install: 'home' },
];
const short = (forMs: number): StoryEvent => ({
  ...{ at: 30 * SECOND, kind: 'memory', level: 'critical', forMs, waves: 1 },
});
const turn = (at: number, forMs: number): StoryEvent => ({
  ...{ at, kind: 'turn', session: 's0', by: 'itself', forMs, staysMs: 0 },
});

interface Told {
  readonly config?: StoryFields;
  readonly sessions?: number;
  readonly isCared?: boolean;
  readonly hours?: number;
  readonly isCalm?: boolean;
  readonly memoryMs?: number;
}

function story(
  events: readonly StoryEvent[],
  {
    config = {},
    sessions = 1,
    isCared = true,
    hours = 0.1,
    isCalm = false,
    memoryMs = 60 * MINUTE,
  }: Told = {},
): Story {
  const names = Array.from({ length: sessions }, (_, index) => `s${index}`);
  const adopted = isCared ? names.map((name) => declare(10 * SECOND, name, 'adopt')) : [];
  const all = [
    ...UP,
    ...names.map(begin),
    ...adopted,
    turn(12 * SECOND, 2 * SECOND),
    short(memoryMs),
    ...events,
  ];
  return {
    ...{ seed: 1, sessions, hours, config: { ...QUICK, ...config } },
    ...(!isCalm && { calmHours: 0 }),
    events: all.toSorted((a, b) => a.at - b.at),
  };
}

const CLOSES = { 'reaper.prefer': 'close' };

/** For each planted bug a story in which it shows at once; with the sources as they are no law is broken in any of them. */
export const PROVOKED: Readonly<Record<string, Story>> = {
  'tasks-forgotten': story([
    { at: 20 * SECOND, kind: 'background', session: 's0', count: 2, forMs: 60 * MINUTE, isProcess: false },
  ]),
  'draft-unseen': story([{ at: 20 * SECOND, kind: 'draft', session: 's0', forMs: 60 * MINUTE, end: 'left' }]),
  'left-is-away': story(
    [{ at: 20 * SECOND, kind: 'visits', session: 's0', does: 'looks', forMs: 5 * SECOND, control: false }],
    { config: { recentInput: 10 * MINUTE } },
  ),
  'hold-ignored': story([declare(20 * SECOND, 's0', 'hold')]),
  'everybody-is-cared-for': story([], { isCared: false }),
  'child-is-helper': story([
    { at: 20 * SECOND, kind: 'child', session: 's0', what: 'apart', forMs: 60 * MINUTE },
  ]),
  'newcomers-swept': story(
    [
      {
        ...{ at: 20 * SECOND, kind: 'manners', session: 's0', exit: 'quick', term: 'quick', hangup: 'quick' },
        ...{ child: true, ms: SECOND },
      },
    ],
    { config: CLOSES },
  ),
  'rest-wins': story([
    turn(20 * SECOND, 5 * SECOND),
    { at: 22 * SECOND, kind: 'status-late', session: 's0', lateMs: -1, forMs: 60 * MINUTE },
  ]),
  'unsaved-is-saved': story(
    [
      { at: 20 * SECOND, kind: 'git', session: 's0', what: 'dirty', forMs: 60 * MINUTE },
      declare(40 * SECOND, 's0', 'complete'),
    ],
    { hours: 0.5 },
  ),
  'no-intent': story([]),
  'recovers-the-living': story(
    [{ ...declare(20 * SECOND, 's1', 'hold'), moment: 'asked', session: 's1', afterMs: 0 }],
    { sessions: 2 },
  ),
  'no-grace': story([], { config: { 'reaper.grace': MINUTE } }),
  'hour-of-a-minute': story([], { sessions: 3, config: { 'reaper.perHour': 1 }, hours: 0.2 }),
  'no-receipt': story([], { config: CLOSES }),
  'chain-begins-anew': story([]),
  'second-agent': story(
    [120, 130].map((second) => ({
      ...{ at: second * SECOND, kind: 'brings', session: 's0', command: 'reopen', byName: true, killAt: 0 },
    })),
    { config: CLOSES, memoryMs: 60 * SECOND },
  ),
  // In the calm of an even seed the reaper is off.
  'never-due': {
    ...story([declare(20 * SECOND, 's0', 'complete')], { isCalm: true, memoryMs: SECOND }),
    seed: 2,
  },
  'vetoed-for-good': story([], { isCalm: true }),
  'gone-still-told': story([{ at: 60 * SECOND, kind: 'leaves', session: 's0', how: 'status 0' }], {
    sessions: 2,
    isCared: false,
    memoryMs: SECOND,
  }),
  'waits-for-ever': story(
    [
      {
        ...{ at: 20 * SECOND, kind: 'manners', session: 's0', exit: 'ignored', term: 'ignored' },
        ...{ hangup: 'quick', child: false, ms: SECOND },
      },
      {
        ...{ at: 60 * SECOND, kind: 'ends', session: 's0', command: 'close', how: 'plain' },
        ...{ byName: false, killAt: 0, install: '' },
      },
    ],
    { isCalm: true, memoryMs: SECOND },
  ),
};
