import { describe, expect, it } from 'vitest';
import { departuresFrom } from '../../../src/core/memory/departed.ts';
import type { Recollection, RememberedServer } from '../../../src/core/memory/recollection.ts';
import {
  farewell,
  isElsewhere,
  isOfHere,
  isRecollection,
  lastSeenIn,
  recall,
} from '../../../src/core/memory/recollection.ts';
import type { Moment } from '../../../src/core/text/moment.ts';
import { HOUR, MINUTE, NOW, SECOND } from '../../support/evidence.ts';

const host = { machineId: 'm', bootId: 'this-boot', name: 'box' };
const session = (name: string) => ({
  sessionId: '$1',
  name,
  createdAtSeconds: 1,
  verdict: { activity: 'idle', lifecycle: 'active', since: 0 } as const,
  panes: {},
});
const server: RememberedServer = {
  socketPath: '/tmp/s',
  pid: 1,
  startTicks: 1,
  sessions: { b: session('beta'), a: session('alpha') },
};

function stored(over: Partial<Recollection> = {}): Recollection {
  return {
    format: 1,
    bootId: 'this-boot',
    machine: 'm',
    ...NOW,
    steppedMs: 0,
    servers: { s: server },
    farewells: [],
    ...over,
  };
}

function old(servers: Recollection['servers']): Recollection {
  const { machine: _, ...rest } = stored({ servers });
  return rest;
}

const later = (ms: number, over: Partial<Moment> = {}): Moment => ({
  at: NOW.at + ms,
  awakeMs: NOW.awakeMs + ms,
  suspendedMs: NOW.suspendedMs,
  ...over,
});

describe('from another pid namespace', () => {
  it('a look begins anew, and bids nobody farewell: what it cannot see may live', () => {
    const inside = { ...host, pidNamespace: '2' };
    expect([isOfHere(stored(), inside), isOfHere(stored({ pidNamespace: '2' }), inside)]).toEqual([
      false,
      true,
    ]);
    expect(recall(stored({ pidNamespace: '1' }), inside, later(MINUTE))).toMatchObject({
      ...{ pidNamespace: '2', servers: {}, farewells: [] },
    });
  });
});

describe('on another machine that shares the state folder', () => {
  const elsewhere = { ...host, machineId: 'n', bootId: 'its-boot' };
  const [told] = farewell('server-ended', server, NOW.at, NOW);

  it('nothing has departed and nobody is bid farewell: it may live there', () => {
    const gone = departuresFrom(server, null, NOW.at);
    const recalled = recall(
      stored({ farewells: told ? [told] : [], departed: gone }),
      elsewhere,
      later(MINUTE),
    );
    expect(recalled).toMatchObject({ machine: 'n', bootId: 'its-boot', servers: {}, farewells: [] });
    expect(recalled).not.toHaveProperty('departed');
  });

  it.each([
    ['another machine', stored(), elsewhere, true],
    ['this machine before it was restarted', stored(), { ...host, bootId: 'later' }, false],
    ['a container, which has this boot', stored(), { ...host, machineId: 'n' }, false],
    ['an earlier version’s, by its keys', old({ 'm.b.1.1': server }), elsewhere, true],
    ['an earlier version’s of here', old({ 'n.b.1.1': server }), elsewhere, false],
    ['an earlier version’s that saw nothing', old({}), elsewhere, false],
  ])('%s', (_, value, here, is) => {
    expect(isElsewhere(value, here)).toBe(is);
  });
});

describe('within one boot', () => {
  it('a later look builds on the memory of the last one', () => {
    const recalled = recall(stored(), host, later(MINUTE));
    expect(recalled).toEqual({ ...stored(), ...later(MINUTE) });
  });

  it.each([
    ['nothing, while time just passes', later(HOUR), 0],
    [
      'nothing, while the machine is suspended',
      later(8 * HOUR, { awakeMs: NOW.awakeMs, suspendedMs: 8 * HOUR }),
      0,
    ],
    ['nothing for a slew', later(HOUR, { at: NOW.at + HOUR + 2 * SECOND }), 0],
    ['a step forward', later(HOUR, { at: NOW.at + 3 * HOUR }), 2 * HOUR],
    ['a step back', later(HOUR, { at: NOW.at - HOUR }), 2 * HOUR],
  ])('S26: the wall clock was stepped by %s', (_, now, steppedMs) => {
    expect(recall(stored(), host, now).steppedMs).toBe(steppedMs);
    expect(recall(stored({ steppedMs: 5 }), host, now).steppedMs).toBe(5 + steppedMs);
  });

  it('a farewell is said for an hour', () => {
    const one = {
      cause: 'server-ended',
      socketPath: '/x',
      names: ['a'],
      lastSeenAt: 0,
      noticedAt: NOW.at,
    } as const;
    expect(recall(stored({ farewells: [one] }), host, later(HOUR - 1)).farewells).toEqual([one]);
    expect(recall(stored({ farewells: [one] }), host, later(HOUR)).farewells).toEqual([]);
    const restarted = recall(stored({ farewells: [one], bootId: 'last-boot' }), host, later(MINUTE));
    expect(restarted.farewells.map(({ cause }) => cause)).toEqual(['server-ended', 'host-restarted']);
  });
});

describe('S35: after a reboot', () => {
  const reborn: Moment = { at: NOW.at + HOUR, awakeMs: 5, suspendedMs: 0 };

  it('S35: nothing of the old boot is built on, and it is said what went with it', () => {
    expect(recall(stored({ bootId: 'last-boot', steppedMs: 9 }), host, reborn)).toEqual({
      format: 1,
      bootId: 'this-boot',
      machine: 'm',
      ...reborn,
      steppedMs: 0,
      servers: {},
      farewells: [
        {
          cause: 'host-restarted',
          socketPath: '/tmp/s',
          names: ['alpha', 'beta'],
          lastSeenAt: NOW.at,
          noticedAt: reborn.at,
        },
      ],
      departed: [expect.objectContaining({ key: 'b' }), expect.objectContaining({ key: 'a' })],
    });
  });

  it('S35: the next look neither says it twice nor waits for what is gone', () => {
    const first = recall(stored({ bootId: 'last-boot' }), host, reborn);
    const second = recall(first, host, { ...reborn, at: reborn.at + 5, awakeMs: 10 });
    expect(second.farewells).toEqual(first.farewells);
    expect(second.servers).toEqual({});
  });

  it('S35: a first look on a new machine starts with nothing', () => {
    expect(recall(null, host, NOW)).toEqual(stored({ servers: {} }));
  });
});

it('a server without sessions goes without a farewell', () => {
  expect(farewell('server-ended', { ...server, sessions: {} }, 1, NOW)).toEqual([]);
});

describe('what was read is a recollection', () => {
  it('when its outline is whole, also after a trip through a file', () => {
    expect(isRecollection(stored())).toBe(true);
    expect(isRecollection(JSON.parse(JSON.stringify(stored())))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'recollection'],
    ['a list', []],
    ['another format', { ...stored(), format: 2 }],
    ['one without a boot', { ...stored(), bootId: undefined }],
    ['one without a time', { ...stored(), at: undefined }],
    ['one with a text for a time', { ...stored(), awakeMs: '5' }],
    ['one without servers', { ...stored(), servers: undefined }],
    ['one with no servers at all', { ...stored(), servers: null }],
    ['one without farewells', { ...stored(), farewells: {} }],
  ])('but not %s', (_, value) => {
    expect(isRecollection(value)).toBe(false);
  });
});

describe('when a session was last seen', () => {
  it('is the last look, if it was there, and what was remembered of it otherwise', () => {
    const other = { ...server, sessions: {} };
    const memory = stored({ servers: { s: server, t: other }, lastSeen: { a: 1, gone: 7 } });
    expect(lastSeenIn(memory, 'a')).toBe(NOW.at);
    expect(lastSeenIn(memory, 'gone')).toBe(7);
    expect(lastSeenIn(memory, 'stranger')).toBeUndefined();
    expect(lastSeenIn(stored(), 'gone')).toBeUndefined();
  });
});

describe('what a restart took', () => {
  it('is known to be gone, beside what was gone before', () => {
    const before = stored({ bootId: 'earlier', departed: [{ ...DEPARTED, key: 'old' }] });
    const { departed } = recall(before, host, later(MINUTE));
    expect(departed?.map(({ key }) => key)).toEqual(['b', 'a', 'old']);
    expect(recall(stored({ bootId: 'earlier', servers: {} }), host, later(MINUTE))).not.toHaveProperty(
      'departed',
    );
    expect(recall(null, host, later(MINUTE))).not.toHaveProperty('departed');
  });
});

const DEPARTED = {
  ...{ key: 'k', name: 'n', sessionId: '$1', createdAtSeconds: 1, panes: [], isPanesOnly: false },
  ...{ server: { socketPath: '/tmp/s', pid: 1, startTicks: 1 }, lastSeenAt: NOW.at },
};
