import { describe, expect, test } from 'vitest';
import { attributeAll, unproven } from '../../../src/core/doctor/attribute.ts';
import type { DoctorFacts } from '../../../src/core/doctor/facts.ts';
import type { Recollection } from '../../../src/core/memory/recollection.ts';
import type { Evidence, ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { NOW } from '../../support/evidence.ts';
import { entry, keyOf, paneEntry, process, SERVER } from './checks/doctor-facts.ts';
import { ASLEEP, careOf, entryOn, MARKED, processFacts, stranger } from './process-facts.ts';

const words = (facts: DoctorFacts) =>
  attributeAll(facts).map(
    ({
      class: of,
      text,
      stranger: {
        process: { pid },
      },
    }) => `${pid} ${of}: ${text}`,
  );

const one = (over: Parameters<typeof stranger>[0] = {}, more: Parameters<typeof processFacts>[0] = {}) =>
  words(processFacts({ strangers: [stranger(over)], ...more }))[0] ?? null;

const note = (over: Partial<ProcessNote> = {}): ProcessNote => ({
  ...{ pid: 100, startTicks: 9, parentPid: 42, program: 'claude', command: 'claude', role: 'agent' },
  ...{ agentKind: 'claude', relation: 'root', startedAt: 0, memoryBytes: 1 },
  ...over,
});

const inPane = (...processes: ProcessNote[]): Evidence[] => [
  { kind: 'processes', source: 'process', observedAt: NOW.at, paneId: '%5', processes },
];

const other = (over: Partial<Parameters<typeof entry>[0]> = {}) =>
  entry({ key: keyOf(2), name: 'other', sessionId: '$2', panes: [paneEntry({ paneId: '%5' })], ...over });

const NOTHING_REMEMBERED: Recollection = {
  ...{ format: 1, bootId: 'boot0000', at: 0, awakeMs: 0, suspendedMs: 0, steppedMs: 0 },
  ...{ servers: {}, farewells: [] },
};

const LEFT = 'nothing proves that it is a helper of an agent';
const ORPHAN = `500 left-running: it outlived session 'build'; ${LEFT}`;

test('S45: what bears the mark of a session under care that is gone has outlived it', () => {
  const facts = processFacts({ strangers: [stranger()] });
  expect(words(facts)).toEqual([ORPHAN]);
  expect(attributeAll(facts)).toBe(attributeAll(facts));
  expect(attributeAll(facts)[0]).toMatchObject({
    session: { key: keyOf(1), name: 'build' },
    evidence: [
      'TMUX names session $1 of server pid 42, TMUX_PANE %1',
      "session 'build' is gone: its server answers, and does not have it",
    ],
  });
});

describe('what keeps a process', () => {
  test('a mark with the number of our server and another socket: it is a container’s', () => {
    expect(one({ env: { ...MARKED, TMUX: '/elsewhere/default,42,1' } })).toBe(
      '500 foreign: it outlived a session that rollcall neither started nor adopted',
    );
    const another = { place: { server: { ...SERVER, pid: 43 }, sessionId: '$1', createdAtSeconds: 1000 } };
    const care = careOf({ origin: { at: 0, sequence: 1, how: 'started', ...another } });
    expect(one({}, { ledger: [care] })).toContain('500 foreign');
  });

  test('S34: another user’s is only told of, and so is what cannot be read', () => {
    expect(one({ uid: 1000 })).toBe('500 foreign: it belongs to another user (uid 1000)');
    expect(one({ uid: null })).toBe('500 foreign: whose it is cannot be read');
  });

  test('S47: rollcall’s own daemon, and what it runs', () => {
    const daemon = stranger({ process: { pid: 501 }, program: { name: 'rollcall.cjs' } });
    const command = stranger({ process: { pid: 502, ppid: 501 } });
    expect(words(processFacts({ strangers: [daemon, command] }))).toEqual([
      '501 foreign: it is rollcall itself',
      '502 foreign: it runs below rollcall itself',
    ]);
    expect(one({ program: { name: 'rollcaller' } })).toBe(ORPHAN);
  });

  test('S5: the pane lives, in this session or another; the session lives', () => {
    const alive = entry({ key: keyOf(1), panes: [paneEntry({ paneId: '%9' })] });
    expect(one({}, { sessions: [alive] })).toMatch(/^500 belongs-to-a-live-session: .*'build', which lives/);
    const moved = other({ panes: [paneEntry({ paneId: '%1' })] });
    expect(one({}, { sessions: [moved] })).toMatch(/^500 belongs-to-a-live-session: .*'other', which lives/);
  });

  test('S3: a mark that is older than the server is another server’s', () => {
    const alive = entry({ key: keyOf(1) });
    expect(one({ process: { startTicks: 6 } }, { sessions: [alive] })).toBe(
      '500 foreign: it outlived a session that rollcall neither started nor adopted',
    );
  });

  test('S21: it runs below a pane, or below a tmux server', () => {
    const sessions = [other({ evidence: inPane(note({ pid: 90, startTicks: 8 })) })];
    const others = [
      process({ pid: 90, startTicks: 8, ppid: 42 }),
      process({ pid: 91, startTicks: 8, ppid: 42 }),
    ];
    expect(one({ process: { ppid: 90 } }, { sessions, others })).toMatch(/belongs.*'other'/);
    const job = { env: { TMUX: MARKED.TMUX, CLAUDECODE: '1' }, process: { ppid: 91 } };
    expect(one(job, { sessions, others })).toBe(BELOW);
    expect(one({ process: { ppid: 91 } }, { others, servers: [] })).toBe(
      '500 unknown: it runs below the tmux server with pid 42, which does not answer',
    );
  });

  const BELOW = '500 belongs-to-a-live-session: it runs below the tmux server with pid 42, which lives';
  const agent = { role: 'agent', name: 'claude' } as const;

  test('10: what outlived its pane is no living session’s, although it is still below the server', () => {
    expect(one({ process: { ppid: 42 }, program: agent })).toBe(
      "500 left-running: it outlived session 'build'; an agent may be at work without a terminal",
    );
    expect(one({ process: { ppid: 42 } }, { ledger: [] })).toBe(
      '500 foreign: it outlived a session that rollcall neither started nor adopted',
    );
    const alive = entry({ key: keyOf(1), panes: [paneEntry({ paneId: '%9' })] });
    expect(one({ process: { ppid: 42 } }, { sessions: [alive] })).toMatch(/'build', which lives/);
    const another = { ...MARKED, TMUX: `${SERVER.socketPath},43,1` };
    expect(one({ process: { ppid: 42 }, env: another })).toBe(BELOW);
  });

  test('10: what runs below it, and what only the record knows, are left running too', () => {
    const parent = stranger({ process: { pid: 501, ppid: 42 }, program: agent });
    const child = stranger({ process: { pid: 502, ppid: 501 }, env: null });
    expect(words(processFacts({ strangers: [parent, child] }))).toEqual([
      expect.stringMatching(/^501 left-running/),
      expect.stringMatching(/^502 left-running/),
    ]);
    const body = { survivors: [{ pid: 500, startTicks: 9 }] };
    const entries = [entryOn({ body })];
    expect(one({ process: { ppid: 42 }, env: null }, { entries })).toMatch(/^500 left-running/);
  });

  test('10: what is younger than a listing may take is in a pane that it does not show yet', () => {
    expect(one({ process: { ppid: 42, startedAt: NOW.at - 4000 } })).toBe(BELOW);
    expect(one({ process: { ppid: 42, startedAt: NOW.at - 6000 } })).toMatch(/^500 left-running/);
  });

  test('S32: the server of its mark does not answer, or may be hidden', () => {
    expect(one({}, { servers: [] })).toBe(
      `500 unknown: it was started from a pane of the tmux server at ${SERVER.socketPath}, which does not answer`,
    );
    expect(one({}, { isServerGone: true, servers: [], isComplete: false })).toMatch(
      /^500 unknown: .*can be seen$/,
    );
    expect(one({}, { isServerGone: true, servers: [] })).toBe(ORPHAN);
  });

  test('a server without an identity proves nothing', () => {
    const servers = [{ socketPath: SERVER.socketPath, label: 'main', version: '3.8' }];
    expect(one({}, { servers })).toMatch(/^500 unknown/);
    expect(one({}, { servers: [{ ...servers[0], pid: 42 } as (typeof servers)[0]] })).toMatch(/^500 unknown/);
  });

  test('the pid of its server is another program by now', () => {
    expect(one({}, { servers: [], serverPids: [] })).toMatch(/^500 unknown: the tmux server of its session/);
    const others = [process({ pid: 42, startTicks: 70, comm: 'vim' })];
    expect(one({}, { isServerGone: true, servers: [], serverPids: [], others })).toBe(ORPHAN);
  });

  test('daemons of vendors, and what runs in them', () => {
    const daemon = stranger({ process: { pid: 501 }, sharedBy: 'codex' });
    const tool = stranger({ process: { pid: 502, ppid: 501 } });
    const client = stranger({
      process: { pid: 503 },
      env: {},
      program: { role: 'agent', agentKind: 'codex' },
    });
    expect(words(processFacts({ strangers: [daemon, tool] }))).toEqual([
      '501 foreign: it belongs to the codex daemon; no codex that uses it was seen',
      '502 foreign: it belongs to the codex daemon; no codex that uses it was seen',
    ]);
    expect(words(processFacts({ strangers: [daemon, tool, client] }))).toEqual([
      '501 vendor-daemon-in-use: it belongs to the codex daemon, and a codex that uses it runs',
      '502 vendor-daemon-in-use: it belongs to the codex daemon, and a codex that uses it runs',
      '503 foreign: it runs outside tmux',
    ]);
    const sessions = [other({ evidence: inPane(note({ agentKind: 'codex' })) })];
    expect(words(processFacts({ strangers: [daemon], sessions }))[0]).toMatch(/^501 vendor-daemon-in-use/);
    expect(one({ sharedBy: 'claude' })).toMatch(/^500 vendor-daemon-in-use: it is a background session/);
    expect(one({ env: { ...MARKED, CLAUDE_CODE_SESSION_KIND: 'bg' } })).toMatch(/^500 vendor-daemon-in-use/);
  });

  test('a command of a Codex conversation, while a daemon of it runs', () => {
    const tool = stranger({ env: { ...MARKED, CODEX_THREAD_ID: 't' } });
    const daemon = stranger({ process: { pid: 501 }, env: {}, sharedBy: 'codex' });
    const theirs = stranger({ process: { pid: 501 }, env: {}, sharedBy: 'codex', uid: 7 });
    expect(words(processFacts({ strangers: [tool, daemon] }))[0]).toMatch(/^500 vendor-daemon-in-use/);
    expect(words(processFacts({ strangers: [tool, theirs] }))[0]).toBe(ORPHAN);
    expect(words(processFacts({ strangers: [tool] }))[0]).toBe(ORPHAN);
  });

  test('the conversation goes on in a live pane', () => {
    const evidence: Evidence[] = [
      {
        kind: 'agent',
        source: 'agent',
        observedAt: 0,
        paneId: '%5',
        agentKind: 'claude',
        agentPid: 9,
        conversation: 'c',
        gaps: [],
      },
      {
        kind: 'agent',
        source: 'agent',
        observedAt: 0,
        paneId: '%5',
        agentKind: 'claude',
        agentPid: 9,
        gaps: [],
      },
    ];
    const env = { ...MARKED, CLAUDE_CODE_SESSION_ID: 'c' };
    expect(one({ env }, { sessions: [other({ evidence })] })).toMatch(/^500 belongs.*'other'/);
    expect(one({ env })).toBe(ORPHAN);
  });

  test('the agent that started it runs in a pane, or outside tmux', () => {
    const env = { ...MARKED, CLAUDE_PID: '90' };
    const agent = process({ pid: 90, startTicks: 8 });
    const sessions = [other({ evidence: inPane(note({ pid: 90, startTicks: 8 })) })];
    expect(one({ env }, { sessions, others: [agent] })).toMatch(/^500 belongs.*'other'/);
    const outside = stranger({ process: { pid: 90, startTicks: 8 }, env: {}, program: { role: 'agent' } });
    const tool = stranger({ env });
    expect(words(processFacts({ strangers: [tool, outside] }))[0]).toBe(
      '500 foreign: the agent that started it, pid 90, runs outside tmux',
    );
  });

  test('S6: the pid of its agent has ended, is another’s by now, or is an orphan itself', () => {
    const env = { ...MARKED, CLAUDE_PID: '90' };
    expect(one({ env })).toBe(ORPHAN);
    const other90 = (startTicks: number) => [other({ evidence: inPane(note({ pid: 90, startTicks })) })];
    const later = process({ pid: 90, startTicks: 10 });
    expect(one({ env }, { others: [later], sessions: other90(10) })).toBe(ORPHAN);
    const ended = process({ pid: 90, startTicks: 8, state: 'Z' });
    expect(one({ env }, { others: [ended], sessions: other90(8) })).toBe(ORPHAN);
    expect(one({ env }, { others: [process({ pid: 90, startTicks: 8 })] })).toBe(ORPHAN);
    const orphan = stranger({ process: { pid: 90, startTicks: 8 }, program: { role: 'agent' } });
    expect(words(processFacts({ strangers: [stranger({ env }), orphan] }))).toEqual([
      ORPHAN,
      "90 left-running: it outlived session 'build'; an agent may be at work without a terminal",
    ]);
  });

  test('terminals, editors and daemons of the login keep what they run; process 1 keeps nothing', () => {
    expect(one({ program: { name: 'ssh-agent' } })).toMatch(/^500 foreign: it serves more/);
    expect(one({ process: { comm: 'screen' } })).toMatch(/^500 foreign/);
    const others = [process({ pid: 95, startTicks: 8, comm: 'code' })];
    expect(one({ process: { ppid: 95 } }, { others })).toBe(
      '500 foreign: it runs below code (pid 95), which serves more than the session that started it',
    );
  });

  test('a terminal of its own, unless an agent made it', () => {
    expect(one({ process: { tpgid: 500 } })).toBe(
      '500 foreign: it runs in a terminal that no tmux server has',
    );
    const agent = stranger({ process: { pid: 501 }, program: { role: 'agent' } });
    const tool = stranger({ process: { pid: 500, ppid: 501, tpgid: 500 } });
    expect(words(processFacts({ strangers: [agent, tool] }))).toContain(ORPHAN);
  });

  test('a session that is held, protected, or being closed', () => {
    const held = careOf({ held: { at: 0, sequence: 2, reason: null } });
    expect(one({}, { ledger: [held] })).toBe("500 foreign: it outlived session 'build', which is held");
    expect(one({}, { protect: 'build' })).toBe(
      "500 foreign: it outlived session 'build', which the protected pattern build leaves to people",
    );
    const closing = careOf({ closing: { at: NOW.at, sequence: 2, actor: { pid: 77, bootId: 'boot0000' } } });
    const closer = process({ pid: 77 });
    expect(one({}, { ledger: [closing], others: [closer] })).toBe(
      "500 belongs-to-a-live-session: session 'build' is being closed",
    );
  });
});

describe('from where a process comes', () => {
  const cleared = { env: null } as const;
  const intent = entryOn({
    body: { panes: ['%1'], processes: [{ pid: 500, startTicks: 9, program: 'sleep', paneId: '%1' }] },
  });

  test('S45: whoever cleared its environment is known by what was recorded', () => {
    expect(one(cleared)).toBeNull();
    expect(one(cleared, { entries: [intent] })).toBe(ORPHAN);
    const receipt = entryOn({
      kind: 'receipt',
      body: { survivors: [{ pid: 500, startTicks: 9 }, { pid: 'x' }, 3] },
    });
    expect(one(cleared, { entries: [receipt] })).toBe(ORPHAN);
    const remembered = { ...NOTHING_REMEMBERED, left: { [keyOf(1)]: [{ pid: 500, startTicks: 9 }] } };
    expect(one(cleared, { recollection: remembered })).toBe(ORPHAN);
    const pane = {
      pid: 100,
      startTicks: 8,
      isDead: false,
      processes: [{ pid: 500, startTicks: 9, cpuMs: 0 }],
    };
    const session = {
      ...{ sessionId: '$1', name: 'build', createdAtSeconds: 1000 },
      verdict: { activity: 'idle', lifecycle: 'stale', since: 0 },
      panes: { '%1': { ...pane, observations: 1, quietSinceAwakeMs: 0, isDisturbed: false } },
    } as const;
    const servers = { s: { ...SERVER, sessions: { [keyOf(1)]: session } } };
    expect(one(cleared, { recollection: { ...remembered, left: {}, servers } })).toBe(ORPHAN);
  });

  test('S6: another process with the same pid, another boot or another machine', () => {
    expect(one({ ...cleared, process: { startTicks: 10 } }, { entries: [intent] })).toBeNull();
    expect(one(cleared, { entries: [{ ...intent, bootId: 'earlier' }] })).toBeNull();
    expect(one(cleared, { entries: [{ ...intent, host: 'elsewhere' }] })).toBeNull();
    expect(one(cleared, { entries: [{ ...intent, session: null }] })).toBeNull();
    expect(one(cleared, { entries: [{ ...intent, action: 'run' }] })).toBeNull();
  });

  test('S34: of a session that was recorded in another container nobody knows whether it lives', () => {
    const inside = { host: { pidNamespace: '1' }, servers: [], isServerGone: true };
    const sure = { ...inside, ledger: [careOf({ pidNamespace: '1' })] };
    const other = { ...inside, ledger: [careOf({ pidNamespace: '2' })] };
    expect(one({}, sure)).toBe(ORPHAN);
    expect(one({}, other)).toMatch(/^500 unknown: .*another container/);
    // Its numbers are other processes here; its words are not.
    const here = { ...intent, body: { ...intent.body, pidNamespace: '1' } };
    expect(one(cleared, { ...sure, entries: [here] })).toBe(ORPHAN);
    expect(one(cleared, { ...other, entries: [intent] })).toBeNull();
    const run = entryOn({ kind: 'outcome', action: 'run', body: { run: 'word', pidNamespace: '2' } });
    expect(one({ env: { ROLLCALL_RUN: 'word' } }, { ...other, entries: [run] })).toMatch(/^500 unknown/);
  });

  // A server that is started in a session hands its words to everything that others start there.
  const WORD_ALONE =
    "500 unknown: only variables that others inherit too say that it comes from session 'build', which is gone";

  test('the word of its run, which alone proves nothing', () => {
    const run = entryOn({ kind: 'outcome', action: 'run', body: { run: 'word' } });
    const helper = { argv: ['mcp-server-git'], program: { name: 'mcp-server-git' } };
    expect(one({ ...helper, env: { ROLLCALL_RUN: 'word', CLAUDECODE: '1' } }, { entries: [run] })).toBe(
      WORD_ALONE,
    );
    expect(one({ env: { ROLLCALL_RUN: 'word' } }, { entries: [run, intent] })).toBe(ORPHAN);
    const alive = entry({ key: keyOf(1), panes: [paneEntry({ paneId: '%9' })] });
    expect(one({ env: { ROLLCALL_RUN: 'word' } }, { entries: [run], sessions: [alive] })).toMatch(
      /'build', which lives/,
    );
    expect(one({ env: { ROLLCALL_RUN: 'word' } })).toBeNull();
    // A tmux server that was started in that session hands the word to all its panes.
    const leaked = { ROLLCALL_RUN: 'word', TMUX: '/tmp/other,43,1', TMUX_PANE: '%1' };
    expect(one({ env: leaked }, { entries: [run] })).toMatch(/^500 foreign: .*neither started nor adopted/);
    expect(one({ env: { ...MARKED, ROLLCALL_RUN: 'word' } }, { entries: [run] })).toBe(ORPHAN);
  });

  test('the conversation that was held in it', () => {
    const start = entryOn({
      action: 'run',
      session: { key: null, name: 'build' },
      body: { agent: { conversation: 'c' } },
    });
    const started = entryOn({
      kind: 'outcome',
      action: 'run',
      cause: start.sequence,
      body: { result: 'done' },
    });
    const env = { CLAUDE_CODE_SESSION_ID: 'c' };
    expect(one({ env }, { entries: [start, started] })).toBe(WORD_ALONE);
    expect(one({ env }, { entries: [start, started, intent] })).toBe(ORPHAN);
    expect(one({ env: { CLAUDE_CODE_SESSION_ID: 'd' } }, { entries: [start, started] })).toBe(
      '500 foreign: Claude Code started it; nothing ties it to a session',
    );
    const leaked = { ...env, TMUX: '/tmp/other,43,1', TMUX_PANE: '%1' };
    expect(one({ env: leaked }, { entries: [start, started] })).toMatch(/^500 foreign/);
  });

  test('a session that was never under care, or that somebody else’s ledger knows', () => {
    const foreign = '500 foreign: it outlived a session that rollcall neither started nor adopted';
    expect(one({}, { ledger: [] })).toBe(foreign);
    expect(one({}, { ledger: [careOf({ key: 'machine0.earlier0.42.7.s1.1000' })] })).toBe(foreign);
    expect(one(cleared, { ledger: [], entries: [intent] })).toBe(
      '500 foreign: it comes from a session that was never managed by rollcall',
    );
    const earlier = { ...intent, session: { key: 'machine0.earlier0.42.7.s1.1000', name: 'build' } };
    expect(one(cleared, { entries: [earlier] })).toBeNull();
  });

  test('S3: server pids come round: the latest server that is older than the process is meant', () => {
    const [first, second] = [careOf({ key: keyOf(1, 900), name: 'first' }), careOf({ name: 'second' })];
    const at = (facts: typeof first, startTicks: number, server: { pid?: number } = {}) => {
      const place = facts.origin?.place;
      const moved = place && { ...place, server: { ...place.server, startTicks, ...server } };
      return { ...facts, origin: facts.origin && { ...facts.origin, place: moved ?? null } };
    };
    const ledger = [
      at(first, 3),
      at(second, 7),
      at(careOf({ key: keyOf(3) }), 10),
      at(careOf({ key: keyOf(4) }), 0),
    ];
    expect(one({}, { ledger })).toBe(`500 left-running: it outlived session 'second'; ${LEFT}`);
    expect(one({}, { ledger: [...ledger].reverse() })).toBe(
      `500 left-running: it outlived session 'second'; ${LEFT}`,
    );
    expect(one({}, { ledger: [at(careOf(), 7, { pid: 43 })] })).toMatch(/^500 foreign/);
  });

  test('what is older than the session was not started in it', () => {
    expect(one({ process: { startedAt: 990_000 } })).toMatch(/^500 foreign: .*neither started nor adopted/);
    expect(one({ ...cleared, process: { startedAt: 990_000 } }, { entries: [intent] })).toBeNull();
  });

  test('recorded for a session that lives, or whose server is silent', () => {
    const sessions = [entry({ key: keyOf(1) })];
    expect(one(cleared, { entries: [intent], sessions })).toMatch(/^500 belongs.*'build'/);
    expect(one(cleared, { entries: [intent], servers: [] })).toMatch(
      /^500 unknown: .*'build' does not answer/,
    );
    const silent = [entry({ key: keyOf(1), panes: [] })];
    expect(one(cleared, { entries: [intent], servers: [], sessions: silent })).toMatch(/^500 unknown/);
  });

  test('a ledger that cannot be read proves nothing', () => {
    expect(one({}, { ledger: { failed: 'it is locked' } })).toBe(
      '500 unknown: whose session it was cannot be told: it is locked',
    );
    expect(one(cleared, { ledger: { failed: 'it is locked' } })).toBeNull();
    const left = { [keyOf(1)]: [{ pid: 500, startTicks: 9 }] };
    const recollection = { ...NOTHING_REMEMBERED, left };
    expect(one(cleared, { ledger: { failed: 'it is locked' }, recollection })).toMatch(/^500 unknown: whose/);
  });
});

describe('what tells nothing of itself', () => {
  test('is whose its parent is', () => {
    const child = stranger({ process: { pid: 501, ppid: 500 }, env: {} });
    const facts = processFacts({ strangers: [stranger(), child] });
    expect(words(facts)).toEqual([ORPHAN, `501 left-running: it outlived session 'build'; ${LEFT}`]);
    expect(attributeAll(facts)[1]?.evidence[0]).toBe('it runs below pid 500, of which holds:');
  });

  test('is nobody’s concern below what is foreign, or below nobody', () => {
    const foreign = stranger({ uid: 7 });
    const child = stranger({ process: { pid: 501, ppid: 500 }, env: {} });
    const free = stranger({ process: { pid: 502, ppid: 1 }, env: {} });
    expect(words(processFacts({ strangers: [foreign, child, free] }))).toEqual([
      '500 foreign: it belongs to another user (uid 7)',
    ]);
  });

  test('S8: an agent or a helper is told of; `demiclaude` is nobody', () => {
    const agent = { env: {}, program: { role: 'agent', name: 'claude' } } as const;
    expect(one(agent)).toBe('500 foreign: it runs outside tmux');
    const server = { env: {}, argv: ['mcp-server-git'] };
    expect(one(server)).toBe('500 foreign: whoever started it is gone; nothing ties it to a session');
    expect(one({ ...server, process: { ppid: 70 } })).toBeNull();
    expect(one({ env: {}, argv: ['demiclaude'], program: { name: 'demiclaude' } })).toBeNull();
  });

  test('a ring in the table ends somewhere', () => {
    const [a, b] = [
      stranger({ process: { pid: 500, ppid: 501 } }),
      stranger({ process: { pid: 501, ppid: 500 }, env: {} }),
    ];
    expect(words(processFacts({ strangers: [a, b] }))).toHaveLength(2);
  });
});

describe('only what is positively left over is an orphan of ours', () => {
  const HELPER = {
    argv: ['mcp-server-git'],
    program: { name: 'mcp-server-git' },
    env: { ...MARKED, CLAUDECODE: '1' },
  };
  const said = (over: Parameters<typeof stranger>[0], more: Parameters<typeof processFacts>[0] = {}) =>
    one({ ...HELPER, ...over }, more)?.replace("it outlived session 'build'", '…');
  const ORPHANED = '500 ours-orphaned: …';

  test('an idle helper that an agent started, by its marks or by the ledger', () => {
    expect(said({})).toBe(ORPHANED);
    expect(said({ env: { ...MARKED, OPENCODE_PID: '99' } })).toBe(ORPHANED);
    const recorded = entryOn({
      body: { panes: ['%1'], processes: [{ pid: 500, startTicks: 9, program: 'x', paneId: '%1' }] },
    });
    expect(said({ env: MARKED })).toBe('500 left-running: …; nothing proves that an agent started it');
    expect(said({ env: MARKED }, { entries: [recorded] })).toBe(ORPHANED);
    expect(said({ env: null }, { entries: [recorded] })).toBe(ORPHANED);
  });

  test('not one that works, was detached on purpose, or of which that is not known', () => {
    const progress = (cpuMs: number, ioBytes: number | null = 0) => ({
      ...{ elapsedMs: 1000, cpuMs, ioBytes },
      rests: [ASLEEP, ASLEEP],
    });
    expect(said({ progress: progress(900) })).toBe('500 left-running: …; it works: 90 % of a core, 0 KiB');
    expect(said({ progress: progress(0, 4096) })).toBe('500 left-running: …; it works: 0 % of a core, 4 KiB');
    expect(said({ progress: progress(31, null) })).toBe(
      '500 left-running: …; it works: 3 % of a core, 0 KiB',
    );
    expect(said({ progress: progress(30, null) })).toBe(ORPHANED);
    expect(said({ keepsTerminal: false })).toBe(ORPHANED);
    expect(said({ helper: null })).toMatch(/nothing proves that it is a helper of an agent$/);
    expect(said({ ignoresHangup: true })).toBe('500 left-running: …; it was detached on purpose (nohup)');
    expect(said({ process: { sid: 500 } })).toMatch(/detached on purpose: it leads a session of its own$/);
    expect(said({ ignoresHangup: null })).toMatch(/whether it was detached on purpose cannot be read$/);
    expect(said({ progress: null })).toBe('500 left-running: …; whether it works was not seen yet');
  });

  test('not an agent, and nothing with other than idle helpers below it', () => {
    expect(said({ program: { role: 'agent' } })).toMatch(/an agent may be at work without a terminal$/);
    const parent = stranger(HELPER);
    const below = (over: Parameters<typeof stranger>[0], state = 'S') =>
      words(
        processFacts({
          strangers: [parent, stranger({ ...HELPER, ...over, process: { pid: 501, ppid: 500, state } })],
        }),
      )[0];
    expect(below({})).toMatch(/^500 ours-orphaned/);
    expect(below({ argv: ['make'], program: { name: 'make' } })).toMatch(
      /left-running.*\(pid 501\) runs below it$/,
    );
    expect(below({ program: { role: 'agent' } })).toMatch(/left-running/);
    expect(below({ argv: ['make'] }, 'Z')).toMatch(/^500 ours-orphaned/);
    const others = [process({ pid: 501, ppid: 500 })];
    expect(said({}, { others })).toMatch(/\(pid 501\) runs below it$/);
  });

  test('of which only a second reading is missing is told', () => {
    const facts = processFacts({
      strangers: [stranger({ ...HELPER, progress: null }), stranger({ process: { pid: 501 } })],
    });
    expect(unproven(facts).map(({ pid }) => pid)).toEqual([500]);
  });
});
