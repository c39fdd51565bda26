import { describe, expect, it } from 'vitest';
import { describeEvidence } from '../../../src/cli/explain/describe-evidence.ts';
import type { GitSighting } from '../../../src/core/sight/sighting.ts';
import type { Evidence, ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { NOW } from './samples.ts';

const say = (evidence: object) => describeEvidence({ observedAt: NOW, ...evidence } as Evidence, NOW);

describe('evidence in words', () => {
  const alive = {
    kind: 'pane',
    source: 'tmux',
    paneId: '%1',
    isDead: false,
    isInMode: false,
    isWindowShared: false,
    title: '',
  };
  const note = {
    pid: 7,
    startTicks: 1,
    parentPid: 1,
    program: 'sh',
    command: 'sh',
    role: 'shell',
    relation: 'root',
    startedAt: NOW,
    memoryBytes: 1024 ** 2,
  } as const satisfies ProcessNote;
  const repository = {
    state: 'repository',
    cwd: '/w',
    observedAt: NOW,
    root: '/w',
    isLinkedWorktree: false,
    branch: 'main',
    dirtyFiles: 0,
    unpushedCommits: 0,
    hasRemote: true,
    stashes: 0,
    isMerged: false,
  } as const satisfies GitSighting;
  const git = (facts: object) =>
    say({ kind: 'git', source: 'git', paneId: '%1', facts: { ...repository, ...facts } });
  const agent = { kind: 'agent', source: 'agent', paneId: '%1', agentKind: 'claude', agentPid: 9, gaps: [] };
  const sign = {
    ...{ kind: 'agent-sign', source: 'title', paneId: '%1', agentKind: 'claude', agentPid: 9 },
    ...{ isLive: true, isVerified: true, text: 'Ready' },
  };

  it.each<[string, object]>([
    ['%1: alive', alive],
    [
      '%1: alive, last output 2m ago, full-screen program, in copy mode, its window is shared with another session, title “top”',
      {
        ...alive,
        lastOutputAt: NOW - 120_000,
        isFullScreen: true,
        isInMode: true,
        isWindowShared: true,
        title: 'top',
      },
    ],
    ['%1: alive, its program let go of the terminal', { ...alive, hasNoTerminal: true }],
    ['%1: dead, its program ended with status 1', { ...alive, isDead: true, exitStatus: 1 }],
    ['%1: dead, its program ended by signal KILL', { ...alive, isDead: true, exitSignal: 'KILL' }],
    ['%1: no process left', { kind: 'processes', source: 'process', paneId: '%1', processes: [] }],
    [
      '%1: 1 process (sh), CPU not measured yet, 1.0 MiB',
      { kind: 'processes', source: 'process', paneId: '%1', processes: [note] },
    ],
    [
      '%1: 1 process (sh), CPU not measured yet, 1.0 MiB, 1 more with its terminal',
      {
        ...{ kind: 'processes', source: 'process', paneId: '%1', processes: [note] },
        terminalUsers: [{ pid: 9, startTicks: 9, program: 'x', command: 'x' }],
      },
    ],
    [
      '%1: 6 processes (a, b, c, d, …), 3% CPU, 6.0 MiB, 1 outside the tree, 1 stopped',
      {
        kind: 'processes',
        source: 'process',
        paneId: '%1',
        processes: ['a', 'b', 'c', 'd', 'e', 'e'].map((program, index) => ({
          ...note,
          program,
          cpuPercent: 0.5,
          relation: (['outside', 'stopped'] as const)[index] ?? 'foreground',
        })),
      },
    ],
    [
      '%1: at a shell prompt with nothing typed; last line “$”',
      { kind: 'screen', source: 'screen', paneId: '%1', isPromptEmpty: true, tail: ['x', '$ '] },
    ],
    [
      '%1: bash (pid 7) is at work; last line “Uploading: 45%”',
      {
        ...{ kind: 'screen', source: 'screen', paneId: '%1', isPromptEmpty: null, tail: ['Uploading: 45%'] },
        promptDoubt: 'bash (pid 7) is at work',
      },
    ],
    [
      '%1: something is typed at the prompt',
      { kind: 'screen', source: 'screen', paneId: '%1', isPromptEmpty: false, tail: [] },
    ],
    ['nobody is attached', { kind: 'people', source: 'people', clients: [], isThroughGroup: false }],
    [
      'nobody is attached, last attached 1h ago, surely away for 20m',
      {
        ...{ kind: 'people', source: 'people', clients: [], isThroughGroup: false },
        ...{ lastAttachedAt: NOW - 3_600_000, awayMs: 20 * 60_000 },
      },
    ],
    [
      '2 clients attached (/dev/pts/3, pid 12), 1 in control mode, through another session, last input 5s ago, last attached 1h ago',
      {
        kind: 'people',
        source: 'people',
        isThroughGroup: true,
        lastAttachedAt: NOW - 3_600_000,
        clients: [
          { sessionId: '$1', tty: '/dev/pts/3', pid: 11, isControl: false, lastInputAt: NOW - 5000 },
          { sessionId: '$1', tty: '', pid: 12, isControl: true, lastInputAt: NOW - 9000 },
        ],
      },
    ],
    [
      '%1: seen 1 time, not quiet',
      { kind: 'history', source: 'history', paneId: '%1', observations: 1, quietMs: 0 },
    ],
    [
      '%1: seen 3 times, quiet for 10s, last change 12s ago, codex was seen here, something was entered in bash (pid 7) since its agent left',
      {
        kind: 'history',
        source: 'history',
        paneId: '%1',
        observations: 3,
        quietMs: 10_000,
        disturbedMs: 12_000,
        agentSeen: 'codex',
        entered: 'something was entered in bash (pid 7) since its agent left',
      },
    ],
    ['%1: claude (pid 9)', agent],
    [
      '%1: claude 2.1 (pid 9), conversation c1, resumable with: claude -r c1, its hooks are silent',
      {
        ...agent,
        agentVersion: '2.1',
        conversation: 'c1',
        resume: ['claude', '-r', 'c1'],
        gaps: [{ code: 'hooks-silent', text: 'its hooks are silent' }],
      },
    ],
    ['%1: Ready', sign],
    [
      '%1: Ready (a turn runs, waits for plan, 2 in the background, an unsent draft, since 2m ago, not verified on this version)',
      {
        ...{ ...sign, turn: 'running', waitingFor: 'plan', background: 2, hasDraft: true },
        ...{ since: NOW - 120_000, isVerified: false },
      },
    ],
    [
      '%1: Ready (the turn is over, waits for nothing, nothing in the background, no draft, ready for a prompt)',
      { ...sign, turn: 'over', waitingFor: null, background: 0, hasDraft: false, isReady: true },
    ],
    ['could not look: it hung', { kind: 'sensor-unavailable', source: 'tmux', text: 'it hung' }],
    [
      '%9: could not look: it hung',
      { kind: 'sensor-unavailable', source: 'git', paneId: '%9', text: 'it hung' },
    ],
    [
      '9 of 10 panes of this server died between two looks',
      { kind: 'mass-death', source: 'history', dead: 9, of: 10 },
    ],
    ['the clock ran evenly', { kind: 'clock', source: 'host', suspendedMs: 0, steppedMs: 0 }],
    [
      'the machine slept for 8h, the clock was set back by 1h',
      { kind: 'clock', source: 'host', suspendedMs: 8 * 3_600_000, steppedMs: -3_600_000 },
    ],
    [
      'the clock was set forward by 5m',
      { kind: 'clock', source: 'host', suspendedMs: 0, steppedMs: 300_000 },
    ],
    [
      'started or adopted by rollcall, rollcall runs in it, protected by the pattern crew-*',
      { kind: 'standing', source: 'declared', isManaged: true, isOwnSession: true, protectedBy: 'crew-*' },
    ],
    [
      'adopted by rollcall, held, to be kept, declared done, being closed',
      {
        ...{ kind: 'standing', source: 'declared', isManaged: true, isOwnSession: false },
        ...{ origin: { at: 1, how: 'adopted' }, held: { at: 1, reason: null }, closing: { at: 1 } },
        retained: { at: 1, until: null, reason: null },
        completion: { at: 1, outcome: 'done', evidence: null, blockers: [] },
      },
    ],
  ])('%s', (words, evidence) => {
    expect(say(evidence)).toBe(words);
  });

  it('says what git knows and what it does not', () => {
    expect(git({})).toBe('%1: /w on branch main, clean, nothing unpushed');
    expect(
      git({
        branch: undefined,
        dirtyFiles: 1,
        unpushedCommits: 2,
        stashes: 1,
        isMerged: true,
        isLinkedWorktree: true,
      }),
    ).toBe(
      '%1: /w on a detached HEAD, a linked worktree, 1 file not committed, 2 commits not pushed, 1 stash, merged',
    );
    const branch = { name: 'work', commits: 2, changedAt: 1, isOwn: true };
    expect(git({ operation: 'rebase' })).toContain(', a rebase in progress');
    expect(git({ branches: [{ ...branch, isTag: true }] })).toContain('not pushed on tag work');
    expect(git({ branches: [branch] })).toContain(', 2 commits not pushed on branch work');
    const { commits: _, ...uncounted } = branch;
    expect(git({ branches: [uncounted, branch] })).toContain('commits not pushed on branch work and 1 more');
    const inner = {
      ...repository,
      path: 'lib',
      isSubmodule: true,
      changedAt: 1,
      dirtyFiles: 1,
      unpushedCommits: 3,
    };
    const broken = { path: 'x', isSubmodule: false, changedAt: 1, state: 'failed', text: 'timed out' };
    const below = { count: 2, unsaved: [inner, broken], isCut: false };
    expect(git({ below })).toContain(
      ', 2 repositories below it, submodule lib: 1 file not committed and 3 commits not pushed, x: timed out',
    );
    const many = { count: 9, unsaved: Array(7).fill({ ...inner, stashes: 1 }), isCut: true };
    expect(git({ state: 'none', below: many })).toMatch(
      /^%1: \/w is not a git repository, 9 repositories below it \(not every .*2 more below with something unsaved/,
    );
    expect(git({ hasRemote: false })).toContain('no remote');
    expect(git({ unpushedCommits: undefined })).toContain('not known whether all is pushed');
    expect(git({ state: 'none' })).toBe('%1: /w is not a git repository');
    expect(git({ state: 'failed', text: 'timed out' })).toBe('%1: git could not tell about /w: timed out');
  });

  it('shows a stamp from the future as such', () => {
    expect(say({ ...alive, lastOutputAt: NOW + 60_000 })).toContain('last output 1m ahead');
  });
});
