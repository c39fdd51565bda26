import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import {
  type Expected,
  isClosing,
  isExpected,
  lastTold,
  lossOf,
  lostVerdict,
} from '../../../src/core/memory/lost.ts';
import { sessionKey } from '../../../src/core/sight/identity.ts';
import type { Process, ProcessTable } from '../../../src/core/sight/process.ts';
import type { ServerSighting } from '../../../src/core/sight/sighting.ts';
import { MINUTE, NOW } from '../../support/evidence.ts';

const host = { machineId: 'machine01', bootId: 'boot0001', name: 'box' };
const server = { socketPath: '/tmp/s', pid: 42, startTicks: 777 };
const place = { server, sessionId: '$3', createdAtSeconds: 17 };
const facts: Expected = {
  key: sessionKey(host, place),
  name: 'build',
  origin: { at: 5, sequence: 1, how: 'started', place },
  held: null,
  retained: null,
  claims: { task: null, role: null, owner: null, branch: null, worktree: null, pr: null },
  completion: null,
  closing: null,
  closed: null,
  reopened: null,
};

const process = (over: Partial<Process> = {}): Process => ({
  ...{ pid: 42, ppid: 1, pgid: 42, sid: 42, tpgid: -1, state: 'S', startTicks: 777 },
  ...{ startedAt: NOW.at - MINUTE, comm: 'tmux: server', cpuMs: 0, rssBytes: 0 },
  ...over,
});
const table = (processes: Process[] = [], isComplete = true): ProcessTable => ({
  observedAt: NOW.at,
  byPid: new Map(processes.map((one) => [one.pid, one])),
  isComplete,
});
const seen = { socketPath: '/tmp/s', observedAt: NOW.at };
const present = (over: object = {}): ServerSighting => ({
  ...{ state: 'present', ...seen, pid: 42, startTicks: 777, version: '3.3a', sessions: [], clients: [] },
  ...over,
});
const absent: ServerSighting = { state: 'absent', ...seen };
const failed: ServerSighting = { state: 'failed', ...seen, failure: 'timeout', text: 'no answer' };
const other = present({ pid: 43, startTicks: 900 });

describe('a session that the ledger expects is lost', () => {
  it.each<[string, string | null, ServerSighting[], ProcessTable]>([
    ['when its server answers without it', 'missing', [present()], table()],
    ['when its server is exactly gone', 'ended', [absent], table()],
    ['when its pid belongs to another process', 'ended', [absent], table([process({ startTicks: 9 })])],
    ['when its server is a zombie', 'ended', [absent], table([process({ state: 'Z' })])],
    ['when another server took the socket', 'replaced', [other], table()],
    [
      'when another server took the socket, of which one answer knew nothing',
      'replaced',
      [absent, other],
      table(),
    ],
    ['S32: not while the server fails', null, [failed], table()],
    ['S32: not while another answer of the socket fails', null, [other, failed], table()],
    ['S32: not when its socket was not asked', null, [], table()],
    ['S5: not by the word of another socket', null, [{ ...absent, socketPath: '/tmp/x' }], table()],
    ['S32: not while its server runs behind a lost socket', null, [absent], table([process()])],
    ['S34: not where its server may be hidden', null, [absent], table([], false)],
    ['S3: not while its server runs and another answers', null, [other], table([process()])],
  ])('%s: %s', (_, why, servers, processes) => {
    expect(lossOf(facts, { host, servers, table: processes })).toBe(why);
  });

  it('not while another session shows its pane, with the process that it began with', () => {
    const moved = { ...facts, origin: { ...facts.origin, pane: { paneId: '%7', pid: 70 } } };
    const look = (...panes: object[]) =>
      lossOf(moved, { host, servers: [present({ sessions: [{ panes }] })], table: table() });
    const gone = 'missing';
    expect(look({ paneId: '%1', pid: 1 }, { paneId: '%7', pid: 70 })).toBeNull();
    expect(look({ paneId: '%7', pid: 71 })).toBe(gone);
    expect(look({ paneId: '%8', pid: 70 })).toBe(gone);
  });

  it('S34: never where the process of its server was not seen: its number means nothing here', () => {
    const unmarked = {
      ...facts,
      origin: { ...facts.origin, place: { ...place, server: { ...server, startTicks: 0 } } },
    };
    const look = (processes: Process[]) =>
      lossOf(unmarked, { host, servers: [absent], table: table(processes) });
    expect([look([process()]), look([])]).toEqual([null, null]);
  });

  it('S34: never where it was recorded from another pid namespace, not even after a restart', () => {
    const here = { ...host, pidNamespace: '1' };
    const from = (pidNamespace: string, on = here) =>
      lossOf({ ...facts, pidNamespace }, { host: on, servers: [absent], table: table() });
    expect([from('1'), from('2')]).toEqual(['ended', null]);
    expect(from('2', { ...here, bootId: 'boot0002' })).toBeNull();
    expect(lossOf(facts, { host: here, servers: [present()], table: table() })).toBeNull();
  });

  it('S35: after a restart of the machine, whatever answers now; never on another machine', () => {
    const rebooted = { ...host, bootId: 'boot0002' };
    for (const servers of [[], [failed], [present()]]) {
      expect(lossOf(facts, { host: rebooted, servers, table: table() })).toBe('restarted');
    }
    expect(
      lossOf(facts, { host: { ...host, machineId: 'other' }, servers: [absent], table: table() }),
    ).toBeNull();
  });

  it('only while it is under care, and neither closed nor put back', () => {
    const since = { at: 6, sequence: 2 };
    expect(isExpected(facts)).toBe(true);
    expect(isExpected(undefined)).toBe(false);
    expect(isExpected({ ...facts, origin: null })).toBe(false);
    expect(isExpected({ ...facts, origin: { ...facts.origin, place: null } })).toBe(false);
    expect(isExpected({ ...facts, closed: { ...since, receipt: 'r' } })).toBe(false);
    expect(isExpected({ ...facts, reopened: { ...since, key: 'k' } })).toBe(false);
  });

  it('is said with when it was last known; there is nothing to close', () => {
    expect(lostVerdict('its server has ended', NOW.at - MINUTE, NOW.at)).toMatchObject({
      activity: 'exited',
      lifecycle: 'lost',
      since: NOW.at - MINUTE,
      reasons: [{ code: 'lost', text: 'its server has ended; last known 1 min ago' }],
      checks: [],
    });
  });

  it('was last known to the ledger when it last spoke of it', () => {
    expect(lastTold(facts)).toBe(5);
    expect(lastTold({ ...facts, held: { at: 9, sequence: 2, reason: null } })).toBe(9);
    expect(lastTold({ ...facts, origin: null })).toBe(0);
  });
});

describe('a close is on its way', () => {
  const begun: SessionFacts = {
    ...facts,
    closing: { at: NOW.at, sequence: 3, actor: { pid: 42, bootId: host.bootId } },
  };
  it.each<[string, boolean, SessionFacts, Process[]]>([
    ['while the process that began it lives', true, begun, [process()]],
    ['not without one', false, facts, [process()]],
    ['not when it is gone', false, begun, []],
    ['not when it is a zombie', false, begun, [process({ state: 'Z' })]],
    ['S6: not by a process that has its number now', false, begun, [process({ startedAt: NOW.at + MINUTE })]],
    ['while a process lives that began a grain later', true, begun, [process({ startedAt: NOW.at + 2000 })]],
    [
      'not from an earlier boot',
      false,
      { ...begun, closing: { at: NOW.at, sequence: 3, actor: { pid: 42, bootId: 'old' } } },
      [process()],
    ],
  ])('%s: %s', (_, isIt, one, processes) => {
    expect(isClosing(one, host, table(processes))).toBe(isIt);
  });

  it('S34: while nobody here can see whether it lives', () => {
    const actor = { pid: 42, bootId: host.bootId, pidNamespace: '2' };
    const elsewhere = { ...begun, closing: { at: NOW.at, sequence: 3, actor } };
    expect(isClosing(elsewhere, { ...host, pidNamespace: '1' }, table())).toBe(true);
    expect(isClosing(elsewhere, { ...host, pidNamespace: '2' }, table())).toBe(false);
    // An earlier version did not note where it ran.
    expect(isClosing(begun, { ...host, pidNamespace: '1' }, table())).toBe(false);
  });
});
