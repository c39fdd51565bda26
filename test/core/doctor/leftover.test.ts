import { describe, expect, test } from 'vitest';
import { attributeAll, unproven } from '../../../src/core/doctor/attribute.ts';
import type { ThreadRest } from '../../../src/core/doctor/rest.ts';
import type { Ties } from '../../../src/core/doctor/ties.ts';
import { process } from './checks/doctor-facts.ts';
import { ALONE, ASLEEP, careOf, entryOn, MARKED, processFacts, stranger } from './process-facts.ts';

type Over = Parameters<typeof stranger>[0];

/** An idle MCP server of an agent, 500 unless it says otherwise. */
const helper = (over: Over = {}) =>
  stranger({
    ...{ argv: ['mcp-server-git'], program: { name: 'mcp-server-git' } },
    ...{ env: { ...MARKED, CLAUDECODE: '1' } },
    ...over,
    process: { comm: 'mcp-server-git', ...over?.process },
  });

const said = (strangers: ReturnType<typeof stranger>[], more: Parameters<typeof processFacts>[0] = {}) =>
  attributeAll(processFacts({ strangers, ...more })).map(
    ({ class: of, text, stranger: one }) =>
      `${one.process.pid} ${of}${text.replace("it outlived session 'build'", '')}`,
  );

const ORPHAN = '500 ours-orphaned';
const left = (why: string) => [`500 left-running; ${why}`];

describe('law 1: who could still talk to a helper keeps it', () => {
  test('whoever it runs below, unless that is a leftover itself', () => {
    const worker = process({ pid: 25, startTicks: 8, comm: 'python3' });
    expect(said([helper({ process: { ppid: 25 } })], { others: [worker] })).toEqual(
      left('it runs below python3 (pid 25), which lives'),
    );
    expect(said([helper({ process: { ppid: 26 } })])).toEqual(left('what it runs below cannot be seen'));
    expect(said([helper(), helper({ process: { pid: 501, ppid: 500 } })])).toEqual([
      ORPHAN,
      '501 ours-orphaned',
    ]);
    const busy = helper({ process: { pid: 499 }, ignoresHangup: true });
    expect(said([busy, helper({ process: { ppid: 499 } })])).toEqual([
      '499 left-running; it was detached on purpose (nohup)',
      '500 left-running; it runs below mcp-server-git (pid 499), which lives',
    ]);
  });

  test('not process 1, its tmux server or a reaper, which took it over', () => {
    expect(said([helper({ process: { ppid: 1 } })])).toEqual([ORPHAN]);
    expect(said([helper({ process: { ppid: 42 } })])).toEqual([ORPHAN]);
    const reaper = process({ pid: 30, startTicks: 6, comm: 'systemd' });
    expect(said([helper({ process: { ppid: 30 } })], { others: [reaper] })).toEqual([ORPHAN]);
  });

  test('the agent that its marks name, although that one outlived its session too', () => {
    const env = { ...MARKED, CLAUDECODE: '1', CLAUDE_PID: '25' };
    const agent = stranger({
      process: { pid: 25, startTicks: 8 },
      program: { role: 'agent', name: 'claude' },
    });
    expect(said([helper({ env }), agent])).toEqual([
      '500 left-running; the agent that started it, pid 25, lives',
      '25 left-running; an agent may be at work without a terminal',
    ]);
    const others = (over: Parameters<typeof process>[0]) => ({ others: [process({ pid: 25, ...over })] });
    expect(said([helper({ env })])).toEqual([ORPHAN]);
    expect(said([helper({ env })], others({ startTicks: 10 }))).toEqual([ORPHAN]);
    expect(said([helper({ env })], others({ startTicks: 8, state: 'Z' }))).toEqual([ORPHAN]);
  });

  const tied = (ties: Partial<Ties> | null, more: Parameters<typeof processFacts>[0] = {}) =>
    said([helper({ ties: ties === null ? null : { ...ALONE, ...ties } })], more);

  test('whoever has the other end of its pipe, unless that is a leftover itself', () => {
    const others = [process({ pid: 70, comm: 'python3' })];
    expect(tied({ holders: [70] }, { others })).toEqual(
      left('python3 (pid 70) can talk to it, through a pipe or a file'),
    );
    expect(tied({ holders: [71] })).toEqual(
      left('a process (pid 71) can talk to it, through a pipe or a file'),
    );
    const pair = (one: Over) => [
      helper({ ties: { ...ALONE, holders: [501] } }),
      helper({ ties: { ...ALONE, holders: [500] }, process: { pid: 501 }, ...one }),
    ];
    expect(said(pair({}))).toEqual([ORPHAN, '501 ours-orphaned']);
    expect(said(pair({ helper: null }))[0]).toMatch(/^500 left-running.*\(pid 501\) can talk to it/);
  });

  test('a socket that listens or may have another end, a terminal, and what cannot be read', () => {
    expect(tied({ isListening: true })).toEqual(left('it listens on a socket, so others may use it'));
    expect(tied({ sockets: ['77'] })).toEqual(left('somebody may be at the other end of its socket 77'));
    expect(tied({ terminals: ['/dev/pts/3'] })).toEqual(left('it has the terminal /dev/pts/3 open'));
    expect(tied({ doors: ['the FIFO /tmp/in\n'] })).toEqual(
      left('others may use it through what it has open: the FIFO /tmp/in\\n'),
    );
    expect(tied(null)).toEqual(left('what it has open cannot be read, so somebody may talk to it'));
    expect(tied({}, { isComplete: false })).toEqual(
      left('not all processes can be seen, and a hidden one may talk to it'),
    );
  });

  test('a process whose files cannot be read and that may come from its server', () => {
    const hidden = (...others: ReturnType<typeof process>[]) =>
      tied({ unread: [{ pid: 80, cgroup: null }] }, { others });
    const MAY = left('pid 80 may talk to it: what that one has open cannot be read from here');
    expect(hidden()).toEqual(MAY);
    expect(hidden(process({ pid: 80, ppid: 1 }))).toEqual(MAY);
    expect(hidden(process({ pid: 80, ppid: 42 }))).toEqual(MAY);
    const systemd = process({ pid: 30, startTicks: 3, comm: 'systemd' });
    expect(hidden(process({ pid: 80, ppid: 30 }), systemd)).toEqual(MAY);
    const ring = process({ pid: 81, ppid: 80 });
    expect(hidden(process({ pid: 80, ppid: 81 }), ring)).toEqual(MAY);
    // Anything older than the server may be a reaper.
    const tini = process({ pid: 31, startTicks: 3, comm: 'tini' });
    expect(hidden(process({ pid: 80, ppid: 31 }), tini)).toEqual(MAY);
    // Older than the server, a kernel thread, or ended.
    expect(hidden(process({ pid: 80, startTicks: 6 }))).toEqual([ORPHAN]);
    const kthreadd = process({ pid: 2, ppid: 0, startTicks: 1, comm: 'kthreadd' });
    expect(hidden(process({ pid: 80, ppid: 2 }), kthreadd)).toEqual([ORPHAN]);
    // In a container process 2 is any program, and may be a reaper as well.
    expect(hidden(process({ pid: 80, ppid: 2 }), process({ pid: 2, startTicks: 3, comm: 'tini' }))).toEqual(
      MAY,
    );
    expect(hidden(process({ pid: 80, state: 'Z' }))).toEqual([ORPHAN]);
    expect(tied({ unread: [{ pid: 2, cgroup: null }] }, { others: [kthreadd] })).toEqual([ORPHAN]);
  });

  const LOGIN = '/user.slice/user-1000.slice/session-3.scope';
  test.each<[string, string | null, string | null, boolean]>([
    ['of a service', LOGIN, '/system.slice/cron.service', false],
    ['of another login', LOGIN, '/user.slice/user-1001.slice/session-4.scope', false],
    ['with a name that begins like its own', LOGIN, `${LOGIN}2`, false],
    ['that is the same', LOGIN, LOGIN, true],
    ['below its own', LOGIN, `${LOGIN}/job`, true],
    ['above its own', LOGIN, '/user.slice', true],
    ['beside nothing, as in a container', '/', '/job', true],
    [
      'that a command was moved into',
      LOGIN,
      '/user.slice/user-1000.slice/user@1000.service/run-u7.scope',
      true,
    ],
    ['that is not known', LOGIN, null, true],
    ['while its own is not known', null, '/system.slice/cron.service', true],
  ])('law 1: one that a reaper may have taken over, in a cgroup %s', (_, cgroup, theirs, isKept) => {
    const below = (ppid: number) =>
      tied({ cgroup, unread: [{ pid: 80, cgroup: theirs }] }, { others: [process({ pid: 80, ppid })] });
    const MAY = left('pid 80 may talk to it: what that one has open cannot be read from here');
    expect(below(1)).toEqual(isKept ? MAY : [ORPHAN]);
    // What is below the server comes from there in any cgroup.
    expect(below(42)).toEqual(MAY);
  });
});

describe('law 1: only what sleeps at both readings is idle', () => {
  const stood = (...rests: (ThreadRest | null)[]) =>
    said([helper({ progress: { elapsedMs: 1000, cpuMs: 0, ioBytes: 0, rests } })]);
  const with_ = (over: Partial<ThreadRest>) => ({ ...ASLEEP, ...over });

  test.each<[string, ThreadRest | null, string]>([
    ['stopped', with_({ states: 'T' }), 'it was stopped in the middle of what it does'],
    ['stopped by a tracer', with_({ states: 'St' }), 'it was stopped in the middle of what it does'],
    ['traced', with_({ isTraced: true }), 'it is being traced, as by a debugger'],
    ['frozen', with_({ isFrozen: true }), 'it was frozen in the middle of what it does'],
    ['waiting for its disk', with_({ states: 'SD' }), 'it does not sleep (state D)'],
    ['without a thread', with_({ states: '' }), 'it does not sleep (state unknown)'],
    ['not to be read', null, 'whether it sleeps cannot be read'],
  ])('%s is not', (_, rest, why) => {
    expect(stood(rest, ASLEEP)).toEqual(left(why));
    expect(stood(ASLEEP, rest)).toEqual(left(why));
    expect(stood(ASLEEP, ASLEEP)).toEqual([ORPHAN]);
  });
});

describe('what was not read yet', () => {
  test('is read where nothing else keeps it, with everything that hangs together with it', () => {
    const { ties: _, ...unread } = helper({ progress: null });
    const child = helper({ process: { pid: 501, ppid: 500 }, progress: null });
    const other = helper({ process: { pid: 502, ppid: 77 }, progress: null });
    const facts = processFacts({ strangers: [unread, child, other] });
    expect(unproven(facts).map(({ pid }) => pid)).toEqual([500, 501]);
    const { ties: __, ...read } = helper();
    expect(said([read])).toEqual(left('whether it works was not seen yet'));
  });
});

describe('holds and retentions', () => {
  test('law 3: what a retention that runs protects is not touched', () => {
    const kept = (until: number | null) =>
      said([helper()], { ledger: [careOf({ retained: { at: 0, sequence: 2, until, reason: null } })] });
    expect(kept(null)).toEqual(['500 foreign, which is kept on request, until somebody says otherwise']);
    expect(kept(Number.MAX_SAFE_INTEGER)[0]).toMatch(/^500 foreign, which is kept on request, .* more$/);
    expect(kept(1)).toEqual([ORPHAN]);
  });

  test('S45: one that only the record ties to an agent is judged by the same proof', () => {
    const recorded = entryOn({
      body: { panes: ['%1'], processes: [{ pid: 500, startTicks: 9, program: 'x', paneId: '%1' }] },
    });
    expect(said([helper({ env: null })], { entries: [recorded] })).toEqual([ORPHAN]);
  });
});
