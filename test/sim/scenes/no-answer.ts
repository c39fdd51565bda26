import { all, MANY, memoryShort, resting, SUPERVISED } from './props.ts';
import { MINUTE, type Scene, SECOND, scene } from './scene.ts';

const HOUR = 60 * MINUTE;

/** An answer that fails, or does not come, is no death. */
export const NO_ANSWER: readonly Scene[] = [
  scene({
    name: 'overdeck#2787',
    sentence: 'nine live sessions stand while every question to tmux fails, and go once it answers again',
    hours: 1,
    config: MANY,
    events: [
      ...SUPERVISED,
      ...resting(9),
      memoryShort(4 * MINUTE, 2 * HOUR),
      {
        at: 3 * MINUTE,
        kind: 'fault',
        port: 'tmux.sense',
        how: 'fail',
        forMs: 20 * MINUTE,
        lateMs: 0,
        isOnlyIts: false,
      },
    ],
    expected: [...all(9, 23 * MINUTE, 'untouched'), ...all(9, HOUR, 'rests')],
  }),
  scene({
    name: 'agi-cli#2650',
    sentence: 'twenty sessions stand while the socket of their server is gone and their owner is absent',
    hours: 0.8,
    config: MANY,
    events: [
      ...SUPERVISED,
      ...resting(20, { by: 'rollcall' }),
      memoryShort(4 * MINUTE, 2 * HOUR),
      { at: 2.5 * MINUTE, kind: 'killed', steps: 1, backMs: 5 * MINUTE },
      { at: 3 * MINUTE, kind: 'socket-gone', session: 's0', forMs: 12 * MINUTE },
    ],
    expected: [...all(20, 15 * MINUTE, 'untouched'), ...all(3, 0.8 * HOUR, 'rests')],
  }),
  scene({
    name: 'instar#487',
    sentence: 'a server that is slow to answer when the supervisor begins has no dead sessions',
    hours: 0.9,
    config: MANY,
    events: [
      ...resting(9),
      ...SUPERVISED,
      { at: 3 * MINUTE, kind: 'killed', steps: 1, backMs: 20 * SECOND },
      {
        at: 3 * MINUTE,
        kind: 'fault',
        port: 'tmux.sense',
        how: 'late',
        forMs: 15 * MINUTE,
        lateMs: 9 * SECOND,
        isOnlyIts: false,
      },
      memoryShort(2 * MINUTE, 2 * HOUR),
    ],
    expected: [...all(9, 18 * MINUTE, 'untouched'), ...all(9, 0.9 * HOUR, 'rests')],
  }),
];
