import { describe, expect, it } from 'vitest';
import { deathOfPanes, deathOfSession } from '../../../src/core/guard/gone.ts';
import type { Departed } from '../../../src/core/memory/departed.ts';
import type { ServerIdentity } from '../../../src/core/sight/identity.ts';
import type { Roll, SessionEntry } from '../../../src/core/sight/roll.ts';
import { SERVER } from './guard-samples.ts';

const gone = (over: Partial<Departed> = {}): Departed => ({
  ...{ key: 'k', name: 'build', sessionId: '$1', createdAtSeconds: 1, server: SERVER },
  ...{ panes: [{ paneId: '%1', pid: 201 }], isPanesOnly: false, lastSeenAt: 0 },
  ...over,
});
const here = { socketPath: SERVER.socketPath, label: 'work', version: '3.3a' };
const same = { ...here, pid: SERVER.pid, startTicks: SERVER.startTicks };
const seen = (servers: Roll['servers'], sessions: readonly object[] = [], isEnded = true) => ({
  ...{ servers, at: 180_000, sessions: sessions as readonly SessionEntry[] },
  hasEnded: (server: ServerIdentity) => isEnded && server === SERVER,
});
const namesake = (pid: number, panes = 1) => ({
  ...{ name: 'build', sessionId: '$7', server: { ...same, pid }, panes: Array(panes).fill({}) },
});

describe('a session that was dead before', () => {
  it('is gone from a server that lives', () => {
    expect(deathOfSession(gone(), seen([same]))).toEqual({
      cause: 'session-gone',
      why: "session 'build' ($1) is gone from a server that lives; last seen 3 min ago",
      fates: [
        {
          ...{ paneId: '%1', pid: 201, state: 'closed', exit: null, process: 'unknown', sessionId: null },
        },
      ],
    });
  });

  it('has its name no longer where another one has it on its server', () => {
    const other = seen([same], [namesake(SERVER.pid)]);
    expect(deathOfSession(gone(), other)).toMatchObject({
      cause: 'session-replaced',
      why: expect.stringContaining('the session that has its name now ($7) is another one'),
    });
    const elsewhere = [namesake(1), namesake(SERVER.pid, 0), { ...namesake(SERVER.pid), name: 'other' }];
    expect(deathOfSession(gone(), seen([same], elsewhere)).cause).toBe('session-gone');
  });

  it('went with its server', () => {
    expect(deathOfSession(gone(), seen([{ ...same, socketPath: '/other' }]))).toMatchObject({
      cause: 'server-gone',
      why: "tmux server 100 is gone, and session 'build' ($1) with it; last seen 3 min ago",
    });
    for (const other of [
      { ...same, pid: 7 },
      { ...same, startTicks: 7 },
    ]) {
      expect(deathOfSession(gone(), seen([other])).cause).toBe('server-replaced');
    }
  });

  it('did not go with a server whose process runs, whether that is silent or has lost its socket', () => {
    for (const servers of [[], [{ ...same, pid: 7 }]]) {
      expect(deathOfSession(gone(), seen(servers, [], false))).toMatchObject({
        cause: 'session-gone',
        why: "session 'build' ($1) is gone; last seen 3 min ago",
      });
      const panes = [{ paneId: '%1', pid: 201, from: gone() }];
      expect(deathOfPanes(panes, [], seen(servers, [], false)).cause).toBe('pane-gone');
    }
  });

  it('was closed by rollcall, whatever became of its server', () => {
    const closed = gone({ closed: { at: 120_000, receipt: 'R1' } });
    expect(deathOfSession(closed, seen([]))).toMatchObject({
      cause: 'session-closed',
      why: "session 'build' ($1) is gone: rollcall closed it 1 min ago, rollcall reopen R1 puts it back",
    });
  });
});

describe('panes that were dead before', () => {
  const alive = {
    paneId: '%9',
    pid: 9,
    state: 'alive',
    exit: null,
    process: 'unknown',
    sessionId: '$1',
  } as const;

  it('are told of beside those that live', () => {
    const death = deathOfPanes([{ paneId: '%1', pid: 201, from: gone() }], [alive], seen([same]));
    expect(death).toMatchObject({
      cause: 'pane-gone',
      why: "pane %1 is gone; last seen 3 min ago in session 'build'",
      fates: [{ paneId: '%1', state: 'closed' }, alive],
    });
  });

  it('went with their server, or are known by their number alone', () => {
    const panes = [
      { paneId: '%2', pid: 0, from: null },
      { paneId: '%1', pid: 201, from: gone() },
    ];
    expect(deathOfPanes(panes, [], seen([]))).toMatchObject({
      cause: 'server-gone',
      why: expect.stringMatching(
        /^pane %2 is gone: .+; tmux server 100 is gone, and pane %1 with it; last seen/,
      ),
    });
    expect(deathOfPanes(panes.slice(0, 1), [], seen([same])).cause).toBe('pane-gone');
  });
});
