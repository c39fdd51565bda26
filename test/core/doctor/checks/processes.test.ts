import { expect, test } from 'vitest';
import { reportOf } from '../../../../src/core/doctor/checks/check.ts';
import { agentProcesses } from '../../../../src/core/doctor/checks/processes-agents.ts';
import { helperProcesses } from '../../../../src/core/doctor/checks/processes-helpers.ts';
import { zombies } from '../../../../src/core/doctor/checks/processes-zombies.ts';
import { memoryByClass } from '../../../../src/core/doctor/finding.ts';
import type { Evidence, ProcessNote } from '../../../../src/core/verdict/evidence.ts';
import { NOW } from '../../../support/evidence.ts';
import { MARKED, processFacts, stranger } from '../process-facts.ts';
import { doctorFacts, entry, keyOf, paneEntry, process, table } from './doctor-facts.ts';

const note = (over: Partial<ProcessNote>): ProcessNote => ({
  ...{ pid: 100, startTicks: 9, parentPid: 42, program: 'claude', command: 'claude', role: 'agent' },
  ...{ relation: 'root', startedAt: 0, memoryBytes: 10 },
  ...over,
});

const pane: Evidence = {
  ...{ kind: 'processes', source: 'process', observedAt: NOW.at, paneId: '%5' },
  processes: [
    note({}),
    note({ pid: 101, role: 'shell', program: 'bash', command: 'bash' }),
    note({ pid: 102, role: 'command', program: 'sleep', command: 'sleep 9', relation: 'outside' }),
    note({ pid: 103, role: 'command', program: 'gopls', command: 'gopls serve', helper: 'language server' }),
  ],
};

const clock: Evidence = { kind: 'clock', source: 'host', observedAt: 0, suspendedMs: 0, steppedMs: 0 };

const facts = processFacts({
  sessions: [
    entry({
      key: keyOf(2),
      name: 'other',
      sessionId: '$2',
      panes: [paneEntry({ paneId: '%5' })],
      evidence: [clock, pane],
    }),
  ],
  strangers: [
    stranger(),
    stranger({
      process: { pid: 501 },
      ...{
        argv: ['mcp-server-git'],
        program: { name: 'mcp-server-git' },
        env: { ...MARKED, CLAUDECODE: '1' },
      },
    }),
    stranger({ process: { pid: 503 }, program: { role: 'agent', name: 'claude' } }),
    stranger({ process: { pid: 502 }, env: {}, program: { role: 'agent', name: 'codex' } }),
  ],
});

const told = (check: typeof agentProcesses) =>
  reportOf(check, facts).findings.map((one) => [one.pid, one.class, one.severity, one.remedy?.kind ?? null]);

test('agents, what they ran and what left their panes are told of, and only who names one ends it', () => {
  expect(told(agentProcesses)).toEqual([
    [500, 'left-running', 'info', null],
    [503, 'left-running', 'warning', null],
    [502, 'foreign', 'info', null],
    [100, 'belongs-to-a-live-session', 'ok', null],
    [102, 'belongs-to-a-live-session', 'ok', null],
  ]);
  const [orphan] = reportOf(agentProcesses, facts).findings;
  expect(orphan).toMatchObject({
    ...{ session: keyOf(1), memoryBytes: 4096 },
    text: "sleep, pid 500: it outlived session 'build'; nothing proves that it is a helper of an agent",
    remedy: null,
    onRequest: { kind: 'end-process', pid: 500, startTicks: 9, program: 'sleep', isNamed: true },
  });
  expect(orphan?.evidence.at(-1)).toBe('command: sleep 1000');
  expect(orphan?.advice).toEqual(['if nobody wants it: rollcall doctor --fix --pid 500']);
});

test('helpers have a check of their own', () => {
  expect(told(helperProcesses)).toEqual([
    [501, 'ours-orphaned', 'warning', 'end-process'],
    [103, 'belongs-to-a-live-session', 'ok', null],
  ]);
  const [helper] = reportOf(helperProcesses, facts).findings;
  expect(helper?.remedy).toEqual({ kind: 'end-process', pid: 501, startTicks: 9, program: 'mcp-server-git' });
  expect(helper?.advice.join('\n')).toMatch(/SIGTERM and SIGCONT.*SIGKILL only with --force/);
  expect(helper?.text).toMatch(/^mcp-server-git \(MCP server\), pid 501: /);
});

test('nothing is found where nothing is', () => {
  expect(reportOf(agentProcesses, processFacts())).toMatchObject({
    severity: 'ok',
    findings: [],
    problem: null,
  });
});

test('S34: where no process can be seen, that is said', () => {
  const blind = doctorFacts({ table: { ...table([], false), problem: 'the process table is unreadable' } });
  expect(reportOf(agentProcesses, blind)).toMatchObject({
    severity: 'warning',
    problem: 'the process table is unreadable',
  });
  expect(reportOf(helperProcesses, doctorFacts())).toMatchObject({ problem: 'no process can be seen' });
});

test('memory is added up by class, the largest first', () => {
  const { findings } = reportOf(agentProcesses, facts);
  expect(memoryByClass(findings)).toEqual([
    { class: 'left-running', count: 2, memoryBytes: 8192 },
    { class: 'foreign', count: 1, memoryBytes: 4096 },
    { class: 'belongs-to-a-live-session', count: 2, memoryBytes: 20 },
  ]);
  const { memoryBytes: _, ...unknown } = findings[0] as (typeof findings)[number];
  expect(memoryByClass([unknown])).toEqual([]);
});

test('zombies below a server, a pane or a stranger of ours are told of by their parent, and nobody else’s', () => {
  const facts = processFacts({
    sessions: [entry({ evidence: [clock, pane] })],
    strangers: [stranger(), stranger({ process: { pid: 502 }, uid: 7 })],
    others: [
      process({ pid: 100 }),
      process({ pid: 900 }),
      ...[100, 900, 42, 42, 500, 502, 901].map((ppid, at) => dead(600 + at, ppid)),
    ],
    serverPids: [42, 43, 900],
    ownServerPids: [42, 43],
  });
  expect(reportOf(zombies, facts).findings.map(({ text, advice }) => [text, advice[0]])).toEqual([
    ['node, pid 100, has not taken notice of 1 ended process', expect.stringContaining('do no harm')],
    [
      'tmux: server, pid 42, has not taken notice of 2 ended processes',
      'have tmux look again: kill -CHLD 42',
    ],
    ['node, pid 500, has not taken notice of 1 ended process', expect.stringContaining('do no harm')],
  ]);
  expect(reportOf(zombies, processFacts())).toMatchObject({ severity: 'ok', findings: [] });
  expect(reportOf(zombies, doctorFacts()).problem).toBe('no process can be seen');
});

test('10: processes of other users are not listed, nor what may be another’s', () => {
  const strangers = [
    stranger({ uid: 7 }),
    stranger({ process: { pid: 501 }, uid: null }),
    stranger({ process: { pid: 502 } }),
  ];
  const found = reportOf(agentProcesses, processFacts({ strangers })).findings;
  expect(found.map(({ pid }) => pid)).toEqual([502]);
});

test('10: where not all processes can be seen, that is said', () => {
  const [finding] = reportOf(agentProcesses, processFacts({ isComplete: false })).findings;
  expect(finding).toMatchObject({
    ...{ class: 'not-all-seen', severity: 'warning' },
    text: 'not all processes can be seen: the table is not complete',
  });
  const seen = processFacts({ isComplete: false });
  const hidden = { ...seen, table: { ...seen.table, problem: 'process 1 is not visible' } };
  expect(reportOf(helperProcesses, hidden).unseen).toEqual([
    'not all processes can be seen: process 1 is not visible',
  ]);
});

test('10: --server keeps the processes of that server’s sessions, by their session or by their mark', () => {
  const elsewhere = { TMUX: '/tmp/tmux-0/other,43,1', TMUX_PANE: '%1' };
  const all = processFacts({
    sessions: [entry({ key: keyOf(2), name: 'other', sessionId: '$2', panes: [], evidence: [clock, pane] })],
    strangers: [
      stranger(),
      stranger({ process: { pid: 501 }, env: elsewhere }),
      stranger({ process: { pid: 502 }, env: {}, program: { role: 'agent' } }),
    ],
    others: [process({ pid: 100 }), ...[500, 501, 42, 100].map((ppid, at) => dead(600 + at, ppid))],
  });
  const pids = (check: typeof agentProcesses, ...servers: string[]) =>
    reportOf(check, all, servers).findings.map(({ pid }) => pid);
  expect(pids(agentProcesses)).toEqual([500, 501, 502, 100, 102]);
  expect(pids(agentProcesses, 'main')).toEqual([500, 100, 102]);
  expect(pids(agentProcesses, '/tmp/tmux-0/other')).toEqual([501]);
  expect(pids(zombies, 'main')).toEqual([500, 42, 100]);
  expect(pids(zombies, 'other')).toEqual([501]);
});

function dead(pid: number, ppid: number) {
  return process({ pid, ppid, state: 'Z', comm: 'sh' });
}
