import { all, declare, MANY, memoryShort, resting, SUPERVISED } from './props.ts';
import { MINUTE, type Scene, SECOND, scene } from './scene.ts';

const HOUR = 60 * MINUTE;
const close = { kind: 'ends', command: 'close', how: 'plain', byName: true, killAt: 0, install: '' } as const;

/** A name, an id and a number are no identities. */
export const IDENTITIES: readonly Scene[] = [
  scene({
    name: 'amux#156',
    sentence: 'a name is never a prefix: agent-1 is closed, agent-10 is not, also once agent-1 is gone',
    hours: 0.5,
    events: [
      ...resting(2).map((event) =>
        event.kind === 'start' ? { ...event, name: event.session === 's0' ? 'agent-1' : 'agent-10' } : event,
      ),
      { at: 5 * MINUTE, session: 's0', ...close },
      { at: 15 * MINUTE, session: 's0', ...close },
    ],
    expected: [
      { at: 12 * MINUTE, session: 's0', is: 'closed' },
      { at: 0.5 * HOUR, session: 's1', is: 'untouched' },
    ],
  }),
  scene({
    name: 'gastown#909',
    sentence: 'what was declared done does not speak for the next session of that name',
    hours: 1,
    events: [
      ...SUPERVISED,
      ...resting(1),
      declare(2 * MINUTE, 's0', 'retain', { forMs: 3 * HOUR }),
      declare(2.5 * MINUTE, 's0', 'complete'),
      { at: 4 * MINUTE, kind: 'kills', session: 's0', what: 'session' },
      {
        at: 4.1 * MINUTE,
        kind: 'start',
        session: 's1',
        agent: 'full',
        layout: 'alone',
        by: 'person',
        name: 'work-0',
        server: 'default',
        mcp: 0,
      },
      { at: 4.2 * MINUTE, kind: 'turn', session: 's1', by: 'itself', forMs: 30 * SECOND, staysMs: 0 },
      declare(5 * MINUTE, 's1', 'adopt'),
    ],
    expected: [{ at: 30 * MINUTE, session: 's1', is: 'untouched' }],
  }),
  scene({
    name: 'agetor#85',
    sentence: 'what another install has in its care is not in mine, however idle it is',
    hours: 0.8,
    config: MANY,
    events: [
      ...resting(3),
      { at: 3 * MINUTE, kind: 'second-install', adopts: 0, forMs: 3 * HOUR },
      memoryShort(4 * MINUTE, 3 * HOUR),
    ],
    expected: all(3, 0.8 * HOUR, 'untouched'),
  }),
  ...(['asked', 'entered', 'signalled', 'intent', 'chosen'] as const).map((moment) =>
    scene({
      name: `monk-plugin#98, pitchfork#878: ${moment}`,
      sentence: 'a number that belongs to somebody else between proof and signal is not signalled',
      hours: 1,
      config: { ...MANY, 'reaper.prefer': 'close' },
      events: [
        ...SUPERVISED,
        ...resting(4),
        ...[0, 1, 2, 3].map((index) => ({
          at: 2 * MINUTE,
          kind: 'manners',
          session: `s${index}`,
          exit: 'ignored',
          term: 'slow',
          hangup: 'quick',
          child: false,
          ms: 3 * SECOND,
        })),
        ...[0, 40, 400, 1500].map((afterMs) => ({
          at: 3 * MINUTE + afterMs,
          kind: 'pid-recycled',
          session: 'it',
          moment,
          afterMs,
          who: afterMs > 100 ? 'stranger' : 'neighbour',
        })),
        memoryShort(4 * MINUTE, 2 * HOUR),
      ],
      expected: [],
    }),
  ),
];
