import { describe, expect, test } from 'vitest';
import type { SettleEvent } from '../../../src/core/settle/standing.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { changesBetween } from '../../../src/core/supervision/changes.ts';
import { entry, NOW, reason, roll } from '../../cli/render/samples.ts';
import { pressure, REAPED } from './supervision-samples.ts';

const MOMENT = { at: NOW, awakeMs: 5000, suspendedMs: 0 };
const round = (...sessions: SessionEntry[]) => ({ roll: roll(sessions), pressure: pressure() });
const changes = (before: ReturnType<typeof round> | null, after: ReturnType<typeof round>) =>
  changesBetween(before, { ...after, events: [], settled: [] }, MOMENT, 7);

describe('changes between two rounds', () => {
  test('a first round has none: a restart tells nobody anything twice', () => {
    expect(changes(null, round(entry('a')))).toEqual([]);
  });

  test('none where nothing is different, however the reasons are worded', () => {
    const later = entry('a', {
      reasons: [reason('progress', 'process', 'uses 12% of a core')],
      memoryBytes: 1,
    });
    expect(changes(round(entry('a')), round(later))).toEqual([]);
  });

  test('a session that came, one that went, one that does something else, in numbered order', () => {
    const waiting = entry('b', {
      activity: 'waiting',
      waitingFor: 'permission',
      agent: null,
      role: 'worker',
    });
    expect(changes(round(entry('a'), entry('b')), round(entry('c'), waiting))).toMatchObject([
      { number: 7, at: NOW, kind: 'session', session: { name: 'c', agent: 'claude' }, from: null },
      {
        ...{
          number: 8,
          kind: 'session',
          session: { name: 'b', server: 'default', agent: null, role: 'worker' },
        },
        from: { activity: 'working', waitingFor: null, lifecycle: 'active', isAttached: false, name: 'b' },
        to: { activity: 'waiting', waitingFor: 'permission' },
      },
      { number: 9, kind: 'session', session: { name: 'a' }, to: null },
    ]);
  });

  test.each([
    ['another lifecycle', { lifecycle: 'stale' }],
    ['a person who came', { attached: 1 }],
    ['another wait', { waitingFor: 'login' }],
  ] as const)('%s', (_, change) => {
    expect(changes(round(entry('a')), round(entry('a', change)))).toHaveLength(1);
  });

  test('S2, S4: a rename is a change of the same session, another session of the same name is not', () => {
    const renamed = { ...entry('a'), name: 'b' };
    expect(changes(round(entry('a')), round(renamed))).toMatchObject([
      { session: { name: 'b' }, from: { name: 'a' }, to: { name: 'b' } },
    ]);
    const another = { ...entry('a'), key: 'm.b.812.9.$9.2' };
    expect(changes(round(entry('a')), round(another))).toMatchObject([{ from: null }, { to: null }]);
  });

  test('S54: names and reasons come without a raw control character', () => {
    const hostile = entry('a\u001b]0;x\u0007', { key: 'k', reasons: [], role: '\u001b', task: '\u0007' });
    const [change] = changes(round(), round(hostile));
    expect(JSON.stringify(change)).not.toMatch(/\\u001b|\\u0007/);
    expect(change).toMatchObject({ to: { text: '' } });
  });

  test('problems when they begin and when they are over, whatever they count', () => {
    const silent = (text: string) => ({ code: 'server-timeout', text, socketPath: '/tmp/a' });
    const before = { ...round(), roll: roll([], { problems: [silent('5 s'), { code: 'x', text: 'x' }] }) };
    const after = { ...round(), roll: roll([], { problems: [silent('9 s'), { code: 'y', text: 'y' }] }) };
    expect(changes(before, after)).toMatchObject([
      { kind: 'problem', problem: { code: 'y' }, isOver: false },
      { kind: 'problem', problem: { code: 'x' }, isOver: true },
    ]);
  });

  test('another tier, and what the settler and the reaper did, also in a first round', () => {
    const short = { ...round(), pressure: pressure({ tier: 'critical' }) };
    expect(changes(round(), short)).toMatchObject([
      { kind: 'pressure', from: 'normal', to: 'critical', text: 'all is calm' },
    ]);
    const closed: SettleEvent = {
      ...{ kind: 'closed', at: NOW, session: { key: 'k', name: 'done' }, code: 'completed', text: 'closed' },
      ...{ receipt: 'r', nextAt: null },
    };
    const acted = { ...round(), events: [REAPED], settled: [closed] };
    expect(changesBetween(null, acted, MOMENT, 1)).toEqual([
      { number: 1, at: NOW, kind: 'settle', event: closed },
      { number: 2, at: NOW, kind: 'reaper', event: REAPED },
    ]);
  });
});
