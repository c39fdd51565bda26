import type { PaneEntry, Roll, SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';

/** 2026-03-04 10:00:00 UTC: every sample is seen at this instant. */
export const NOW = 1_772_618_400_000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MIB = 1024 * 1024;

/** A session with nothing special about it; tests change what they are about. */
export function entry(name: string, changes: Partial<SessionEntry> = {}): SessionEntry {
  return {
    key: `m.b.812.9.${name}.1`,
    name,
    sessionId: '$1',
    createdAt: NOW - 3 * HOUR,
    server: {
      socketPath: '/tmp/tmux-1000/default',
      label: 'default',
      pid: 812,
      startTicks: 9,
      version: '3.3a',
    },
    activity: 'working',
    waitingFor: null,
    lifecycle: 'active',
    since: NOW - 12 * MINUTE,
    reasons: [reason('progress', 'process', 'vitest (pid 4410) uses 84% of a core')],
    blockers: [],
    protections: [],
    checks: [],
    agent: { kind: 'claude', version: null, conversation: null, pid: 4242 },
    role: null,
    task: null,
    owner: null,
    attached: 0,
    memoryBytes: 312 * MIB,
    retainedUntil: null,
    panes: [],
    evidence: [],
    ...changes,
  };
}

/** A pane at work in front. */
export function pane(changes: Partial<PaneEntry> = {}): PaneEntry {
  return {
    paneId: '%3',
    windowIndex: 0,
    paneIndex: 0,
    isActive: true,
    pid: 4240,
    program: 'claude',
    activity: 'working',
    waitingFor: null,
    title: '✳ Fix the login form',
    cwd: '/home/ada/shop',
    isDead: false,
    exitStatus: null,
    exitSignal: null,
    ...changes,
  };
}

export function reason(code: string, source: Evidence['source'], text: string, agoMs = 2 * SECOND) {
  return { code, source, text, observedAt: NOW - agoMs };
}

/** A roll of these sessions, in the order given. */
export function roll(sessions: readonly SessionEntry[], changes: Partial<Roll> = {}): Roll {
  const paths = new Map(sessions.map(({ server }) => [server.socketPath, server]));
  return {
    host: { machineId: 'm', bootId: 'b', name: 'workshop' },
    at: NOW,
    memory: { totalBytes: 23.4 * 1024 * MIB, availableBytes: 14.2 * 1024 * MIB, source: 'MemAvailable' },
    servers: [...paths.values()].map(({ socketPath, label }) => ({ socketPath, label, version: '3.3a' })),
    sessions,
    problems: [],
    ...changes,
  };
}

/** One session in each state that a person meets, worst first. */
export function fullRoll(): Roll {
  return roll([
    entry('payments', {
      activity: 'exited',
      lifecycle: 'stale',
      since: NOW - 3 * HOUR,
      reasons: [reason('proof-incomplete', 'history', '4 files are not committed')],
      blockers: [{ code: 'work-saved', kind: 'unfinished', text: '4 files are not committed' }],
      agent: { kind: 'codex', version: null, conversation: null, pid: null },
      memoryBytes: 6 * MIB,
    }),
    entry('login-form', {
      activity: 'waiting',
      waitingFor: 'permission',
      since: NOW - 4 * MINUTE,
      reasons: [reason('agent-says-waiting', 'agent', 'claude says it is waiting for permission')],
      task: '#241',
      memoryBytes: 1.2 * 1024 * MIB,
    }),
    entry('deploy', {
      activity: 'unknown',
      lifecycle: 'unknown',
      since: NOW - 40 * SECOND,
      reasons: [reason('work-elsewhere', 'process', 'ssh (pid 991) runs work that cannot be seen from here')],
      blockers: [
        { code: 'at-rest', kind: 'would-lose', text: 'what it is doing is not known' },
        { code: 'work-saved', kind: 'unfinished', text: 'git was not asked' },
      ],
      agent: null,
      memoryBytes: 9 * MIB,
    }),
    entry('review-318', {
      activity: 'exited',
      lifecycle: 'safe-to-close',
      since: NOW - 26 * HOUR,
      reasons: [
        reason('proven', 'history', 'finished: nothing runs, nothing is unsent, nothing would be lost'),
      ],
      role: 'reviewer',
      memoryBytes: 4 * MIB,
    }),
    entry('search-index', { task: '#250' }),
    entry('notes', {
      activity: 'none',
      since: NOW - 9 * SECOND,
      reasons: [reason('interactive-program', 'process', 'vim (pid 77) is open in a plain terminal')],
      agent: null,
      memoryBytes: null,
    }),
  ]);
}

/** A session with every kind of evidence, two panes and a process tree. */
export function explained(): SessionEntry {
  const seen = { observedAt: NOW - 2 * SECOND };
  const note = { startTicks: 5, startedAt: NOW - HOUR, role: 'command' as const };
  const evidence: Evidence[] = [
    {
      kind: 'agent',
      source: 'agent',
      observedAt: NOW - 5 * SECOND,
      paneId: '%3',
      agentKind: 'claude',
      agentPid: 4242,
      agentVersion: '2.1.37',
      conversation: '6f1c0b52',
      resume: ['claude', '--resume', '6f1c0b52'],
      gaps: [{ code: 'hooks-silent', text: 'its hooks are not installed' }],
    },
    {
      kind: 'agent-sign',
      source: 'agent',
      observedAt: NOW - 5 * SECOND,
      paneId: '%3',
      agentKind: 'claude',
      agentPid: 4242,
      isLive: true,
      since: NOW - 40 * SECOND,
      turn: 'over',
      waitingFor: null,
      background: 1,
      hasDraft: false,
      isReady: true,
      isVerified: true,
      text: 'shell',
    },
    {
      kind: 'pane',
      source: 'tmux',
      ...seen,
      paneId: '%3',
      isDead: false,
      lastOutputAt: NOW - 40 * SECOND,
      isFullScreen: true,
      isInMode: false,
      isWindowShared: false,
      title: '✳ Fix the login form',
    },
    {
      kind: 'processes',
      source: 'process',
      ...seen,
      paneId: '%3',
      processes: [
        {
          ...note,
          pid: 4240,
          parentPid: 812,
          program: 'bash',
          command: 'bash',
          role: 'shell',
          relation: 'root',
          cpuPercent: 0,
          memoryBytes: 4 * MIB,
        },
        {
          ...note,
          pid: 4242,
          parentPid: 4240,
          program: 'claude',
          command: 'claude --continue',
          role: 'agent',
          agentKind: 'claude',
          relation: 'foreground',
          cpuPercent: 3.4,
          memoryBytes: 298 * MIB,
        },
        {
          ...note,
          pid: 4410,
          parentPid: 4242,
          program: 'node',
          command: 'node node_modules/.bin/vitest --watch',
          relation: 'background',
          cpuPercent: 84,
          memoryBytes: 140 * MIB,
        },
        {
          ...note,
          pid: 4499,
          parentPid: 1,
          program: 'chromium',
          command: 'chromium --headless',
          relation: 'outside',
          memoryBytes: 90 * MIB,
        },
      ],
    },
    {
      kind: 'screen',
      source: 'screen',
      ...seen,
      paneId: '%3',
      isPromptEmpty: null,
      tail: ['● The form now keeps its values.', '', '  1 shell still running', '> '],
    },
    {
      kind: 'pane',
      source: 'tmux',
      ...seen,
      paneId: '%4',
      isDead: true,
      exitStatus: 2,
      isFullScreen: false,
      isInMode: false,
      isWindowShared: false,
      title: '',
    },
    {
      kind: 'people',
      source: 'people',
      ...seen,
      clients: [],
      isThroughGroup: false,
      lastAttachedAt: NOW - 2 * HOUR,
    },
    {
      kind: 'git',
      source: 'git',
      observedAt: NOW - 20 * SECOND,
      paneId: '%3',
      facts: {
        state: 'repository',
        cwd: '/home/ada/shop',
        observedAt: NOW - 20 * SECOND,
        root: '/home/ada/shop',
        isLinkedWorktree: true,
        branch: 'login-form',
        dirtyFiles: 4,
        unpushedCommits: 1,
        hasRemote: true,
        stashes: 0,
        isMerged: false,
      },
    },
    {
      kind: 'history',
      source: 'history',
      observedAt: NOW,
      paneId: '%3',
      agentSeen: 'claude',
      observations: 14,
      quietMs: 0,
    },
    { kind: 'standing', source: 'declared', observedAt: NOW, isOwnSession: false, isManaged: false },
  ];
  return entry('login-form', {
    sessionId: '$7',
    agent: { kind: 'claude', version: '2.1.37', conversation: '6f1c0b52', pid: 4242 },
    task: '#241',
    reasons: [
      reason(
        'background-tasks',
        'agent',
        'claude ended its turn, but 1 of its background tasks still run',
        5000,
      ),
      reason('progress', 'process', 'node (pid 4410) uses 84% of a core'),
    ],
    checks: [
      {
        code: 'seen-now',
        kind: 'would-lose',
        state: 'met',
        text: 'tmux answers for every pane, just now and without contradiction',
      },
      { code: 'at-rest', kind: 'would-lose', state: 'unmet', text: 'it is working' },
      {
        code: 'confirmed',
        kind: 'would-lose',
        state: 'unknown',
        text: 'seen quiet for under 1 s so far; 10 s are asked for',
      },
      { code: 'work-saved', kind: 'unfinished', state: 'unmet', text: '4 files are not committed' },
    ],
    blockers: [{ code: 'at-rest', kind: 'would-lose', text: 'it is working' }],
    protections: [
      {
        code: 'not-managed',
        text: 'rollcall neither started nor adopted it, so it is never closed automatically',
      },
    ],
    panes: [
      pane(),
      pane({
        paneId: '%4',
        paneIndex: 1,
        isActive: false,
        pid: 4300,
        program: null,
        activity: 'exited',
        title: '',
        cwd: null,
        isDead: true,
        exitStatus: 2,
      }),
    ],
    evidence,
  });
}
