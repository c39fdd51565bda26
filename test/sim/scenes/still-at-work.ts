import { all, declare, MANY, memoryShort, resting, SUPERVISED } from './props.ts';
import { MINUTE, type Scene, scene } from './scene.ts';

const HOUR = 60 * MINUTE;

/** What looks idle and is not; and what looks busy and is not. */
export const STILL_AT_WORK: readonly Scene[] = [
  scene({
    name: 't3code#5677',
    sentence:
      'work that outlives the turn keeps a session, whether its agent tells of it or only its processes show it',
    hours: 0.8,
    config: { ...MANY, idleAfter: 5 * MINUTE },
    events: [
      ...SUPERVISED,
      ...resting(5),
      { at: 2 * MINUTE, kind: 'background', session: 's0', count: 2, forMs: 5 * HOUR, isProcess: false },
      { at: 2 * MINUTE, kind: 'child', session: 's1', what: 'tool', forMs: 5 * HOUR },
      { at: 2 * MINUTE, kind: 'child', session: 's2', what: 'apart', forMs: 5 * HOUR },
      { at: 2 * MINUTE, kind: 'child', session: 's3', what: 'nohup', forMs: 5 * HOUR },
      memoryShort(4 * MINUTE, 4 * HOUR),
    ],
    expected: [...all(4, 0.8 * HOUR, 'untouched'), { at: 0.8 * HOUR, session: 's4', is: 'rests' }],
  }),
  scene({
    name: 'instar#1027',
    sentence: 'idle agents with their MCP servers are given back in the end, all of them',
    hours: 1.2,
    config: MANY,
    events: [...SUPERVISED, ...resting(6, { mcp: 5 }), memoryShort(4 * MINUTE, 3 * HOUR)],
    expected: all(6, 1.2 * HOUR, 'rests'),
  }),
  scene({
    name: 'asleep through a retention',
    sentence: 'a time for which a session is kept is awake time: a machine that sleeps does not use it up',
    hours: 4,
    config: { ...MANY, idleAfter: 2 * MINUTE },
    events: [
      ...SUPERVISED,
      ...resting(1),
      declare(2 * MINUTE, 's0', 'retain', { forMs: HOUR }),
      { at: 10 * MINUTE, kind: 'suspend', forMs: 2 * HOUR },
      memoryShort(4 * MINUTE, 5 * HOUR),
    ],
    expected: [
      { at: 3 * HOUR, session: 's0', is: 'untouched' },
      { at: 4 * HOUR, session: 's0', is: 'rests' },
    ],
  }),
  ...[-2 * HOUR, 2 * HOUR].map((byMs) =>
    scene({
      name: `the clock is set ${byMs < 0 ? 'back' : 'forward'} during a grace`,
      sentence: 'a grace is neither cut short nor without end when somebody sets the clock',
      hours: 2,
      config: MANY,
      events: [
        ...SUPERVISED,
        ...resting(2),
        { at: 3 * MINUTE, kind: 'clock-step', session: 'it', moment: 'chosen', afterMs: 3000, byMs },
        memoryShort(4 * MINUTE, 3 * HOUR),
      ],
      expected: all(2, 2 * HOUR, 'rests'),
    }),
  ),
];
