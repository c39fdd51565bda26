import { all, MANY, memoryShort, resting, SUPERVISED } from './props.ts';
import { MINUTE, type Scene, SECOND, scene } from './scene.ts';

const HOUR = 60 * MINUTE;

/** Deeds that are cut short, and two that share what one may do. */
export const CUT_SHORT: readonly Scene[] = [
  ...(['intent', 'asked', 'entered', 'left', 'removed', 'receipt'] as const).map((moment) =>
    scene({
      name: `tmux dies in a close: ${moment}`,
      sentence: 'what has the old ids after a crash is somebody else',
      hours: 1,
      config: { ...MANY, 'reaper.prefer': 'close' },
      events: [
        ...SUPERVISED,
        ...resting(3),
        {
          at: 3 * MINUTE,
          kind: 'tmux-crashes',
          session: 'it',
          moment,
          afterMs: 0,
          backMs: 300,
          sessions: 3,
          resumes: false,
        },
        memoryShort(4 * MINUTE, 10 * MINUTE),
      ],
      expected: [],
    }),
  ),
  scene({
    name: 'tmux cannot be asked right after it has removed a session',
    sentence:
      'a close that cannot see what became of the session leaves its receipt to whoever sees it first',
    hours: 0.3,
    events: [
      ...SUPERVISED,
      ...resting(2, { layout: 'in-shell' }),
      { at: 2 * MINUTE, kind: 'leaves', session: 's1', how: 'status 0' },
      {
        ...{ at: 2 * MINUTE, kind: 'socket-gone', session: 'it', moment: 'removed', afterMs: 0 },
        forMs: 2 * MINUTE,
      },
      {
        ...{ at: 3 * MINUTE, kind: 'ends', session: 's1', command: 'close', how: 'plain', byName: false },
        ...{ killAt: 0, install: '' },
      },
    ],
    expected: [
      { at: 4 * MINUTE, session: 's1', is: 'gone' },
      { at: 15 * MINUTE, session: 's1', is: 'closed' },
      { at: 15 * MINUTE, session: 's0', is: 'untouched' },
    ],
  }),
  ...[1, 20, 40, 80, 120, 200, 300].map((steps) =>
    scene({
      name: `the daemon dies ${steps} steps after an intent`,
      sentence:
        'between intent, act and outcome a daemon may die: what it began has one outcome, and the next one goes on',
      hours: 1.5,
      config: MANY,
      events: [
        ...SUPERVISED,
        ...resting(3),
        {
          at: 3 * MINUTE,
          kind: 'killed',
          session: 'it',
          moment: 'intent',
          afterMs: 0,
          steps,
          backMs: 20 * SECOND,
        },
        memoryShort(4 * MINUTE, 2 * HOUR),
      ],
      // Where it dies with its words typed and not entered, they stay: then the session needs a person.
      expected: [{ at: 1.5 * HOUR, session: 's0', is: 'there' }, ...all(3, 1.5 * HOUR, 'rests').slice(1)],
    }),
  ),
  ...[100, 150, 200].map((killAt) =>
    scene({
      name: `a command dies at its step ${killAt}, and nobody asks for anything after it`,
      sentence: 'what a command was killed at has one outcome, although no other command follows',
      hours: 0.5,
      calmHours: 0.005,
      events: [
        ...SUPERVISED,
        ...resting(2),
        {
          at: 5 * MINUTE,
          kind: 'ends',
          session: 's0',
          command: 'close',
          how: 'plain',
          byName: false,
          killAt,
          install: '',
        },
      ],
      expected: [{ at: 0.5 * HOUR, session: 's1', is: 'untouched' }],
    }),
  ),
  // Found by the world of seed 109.
  scene({
    name: 'somebody comes while a hibernation is cut short (seed #109)',
    sentence: 'the pane of an agent that has left is nobody’s to fill while a person was there just now',
    hours: 0.5,
    calmHours: 0.005,
    events: [
      { at: 0, kind: 'up', install: 'home' },
      {
        ...{
          at: 0,
          kind: 'start',
          session: 's0',
          agent: 'full',
          layout: 'alone',
          by: 'rollcall',
          name: 'work-0',
        },
        ...{ server: 'other', mcp: 0 },
      },
      {
        ...{ at: 5 * MINUTE, kind: 'visits', session: 'it', moment: 'asked', afterMs: 50 },
        ...{ does: 'keys', forMs: 0, control: false },
      },
      {
        ...{ at: 5 * MINUTE, kind: 'ends', session: 's0', command: 'hibernate', how: 'force' },
        ...{ byName: false, killAt: 173, install: '' },
      },
    ],
    expected: [],
  }),
  scene({
    name: 'two daemons under one budget',
    sentence: 'two installs on one machine together close no more in an hour than one may',
    hours: 1.05,
    config: { ...MANY, 'reaper.perHour': 2 },
    events: [
      ...SUPERVISED,
      ...resting(6),
      { at: 2 * MINUTE, kind: 'second-install', adopts: 6, forMs: 3 * HOUR },
      memoryShort(4 * MINUTE, 3 * HOUR),
    ],
    expected: [],
  }),
];
