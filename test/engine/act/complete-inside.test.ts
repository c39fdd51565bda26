import { describe, expect, it } from 'vitest';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import type { Problem, Roll, SessionEntry } from '../../../src/core/sight/roll.ts';
import { callerIn, sessionAround } from '../../../src/engine/act/complete-inside.ts';

const session = (name: string, sessionId: string, panes: readonly [string, number][], serverPid = 50) =>
  ({
    name,
    sessionId,
    server: { pid: serverPid, socketPath: '/tmp/s' },
    panes: panes.map(([paneId, pid]) => ({ paneId, pid })),
    lifecycle: 'active',
  }) as unknown as SessionEntry;

const roll = (sessions: readonly SessionEntry[], problems: readonly Problem[] = []) =>
  ({ sessions, problems }) as unknown as Roll;

/** pid → parent. */
const table = (parents: Readonly<Record<number, number>>): ProcessTable => ({
  observedAt: 1,
  isComplete: true,
  byPid: new Map(
    Object.entries(parents).map(([pid, ppid]) => [Number(pid), { pid: Number(pid), ppid } as Process]),
  ),
});

const TREE = table({ 100: 50, 200: 100, 300: 200, 400: 1, 50: 1 });
const env = { TMUX: '/tmp/s,50,3', TMUX_PANE: '%7' };
const around = (
  pid: number,
  sessions: readonly SessionEntry[],
  problems: readonly Problem[] = [],
  tree = TREE,
) => {
  const caller = callerIn(env, pid);
  return caller && sessionAround(caller, roll(sessions, problems), tree);
};

describe('S7: the session around a process', () => {
  it('is read from what tmux gave its pane, also where the path holds commas', () => {
    expect(callerIn({ TMUX: '/a,b/s,50,3', TMUX_PANE: '%7' }, 9)).toEqual({
      socketPath: '/a,b/s',
      serverPid: 50,
      sessionId: '$3',
      paneId: '%7',
      pid: 9,
    });
    for (const odd of [
      {},
      { TMUX: '/s,50,3' },
      { TMUX_PANE: '%7' },
      { TMUX: 'x', TMUX_PANE: '%7' },
      { TMUX: '/s,1,2', TMUX_PANE: '7' },
    ]) {
      expect(callerIn(odd, 9)).toBeNull();
    }
  });

  it('is the one whose pane’s program is among its ancestors', () => {
    const mine = session('mine', '$3', [
      ['%6', 99],
      ['%7', 100],
    ]);
    expect(around(300, [session('other', '$1', [['%1', 400]]), mine])).toEqual({
      state: 'proven',
      entry: mine,
    });
    expect(around(100, [mine])).toMatchObject({ state: 'proven' });
  });

  it('is not one of a server elsewhere with the same numbers', () => {
    const mine = session('mine', '$3', [['%7', 100]]);
    const elsewhere = (pid: number) => {
      const namesake = session('theirs', '$3', [['%7', pid]]);
      return { ...namesake, server: { ...namesake.server, startTicks: 0 } };
    };
    expect(around(300, [elsewhere(100), mine])).toEqual({ state: 'proven', entry: mine });
    expect(around(300, [elsewhere(400), mine])).toEqual({ state: 'proven', entry: mine });
  });

  it('S4: follows the pane to the session that it was moved to', () => {
    const moved = session('elsewhere', '$9', [['%7', 100]]);
    expect(around(300, [session('made-in', '$3', [['%1', 400]]), moved])).toEqual({
      state: 'proven',
      entry: moved,
    });
  });

  it('S29: is refused where TMUX_PANE does not fit the process tree', () => {
    expect(around(400, [session('mine', '$3', [['%7', 100]])])).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('does not run in %7'),
    });
  });

  it('S29: is refused where a server of the agents’ own, which works for several panes, stands between', () => {
    const caller = callerIn(env, 300);
    const mine = roll([session('mine', '$3', [['%7', 100]])]);
    const seen = (shared: number) => caller && sessionAround(caller, mine, TREE, (pid) => pid === shared);
    expect(seen(200)).toMatchObject({ state: 'refused', text: expect.stringContaining('several panes') });
    expect(seen(50)).toMatchObject({ state: 'proven' });
  });

  it('S3: is refused where the server is another one by now, or the pane is gone', () => {
    const later = session('mine', '$3', [['%7', 100]], 51);
    expect(around(300, [later])).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('is gone'),
    });
    expect(around(300, [session('mine', '$3', [['%8', 100]])])).toMatchObject({ state: 'refused' });
    const lost = { ...session('mine', '$3', [['%7', 100]]), lifecycle: 'lost' } as SessionEntry;
    expect(around(300, [lost])).toMatchObject({ state: 'refused' });
  });

  it('S32: is unknown while a server gives no answer', () => {
    const problem = { code: 'server-timeout', text: 'no answer', socketPath: '/tmp/s' };
    expect(around(300, [], [problem])).toEqual({ state: 'unknown', text: 'no answer from /tmp/s' });
    expect(around(300, [], [{ ...problem, socketPath: '/tmp/other' }])).toMatchObject({ state: 'refused' });
  });

  it('S51: of several that share the window is the one it was made in, else none is chosen', () => {
    const made = session('made-in', '$3', [['%7', 100]]);
    const linked = session('linked', '$4', [['%7', 100]]);
    const other = session('other', '$5', [['%7', 100]]);
    expect(around(300, [linked, made])).toEqual({ state: 'proven', entry: made });
    expect(around(300, [linked, other])).toEqual({ state: 'several', entries: [linked, other] });
  });

  it('ends also where processes claim to be each other’s parents', () => {
    const loop = table({ 300: 301, 301: 300 });
    expect(around(300, [session('mine', '$3', [['%7', 100]])], [], loop)).toMatchObject({ state: 'refused' });
  });
});
