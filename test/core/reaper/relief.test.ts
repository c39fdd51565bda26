import { describe, expect, it } from 'vitest';
import { NO_MEMORY } from '../../../src/core/reaper/memory.ts';
import { isResumable, judgeRelief } from '../../../src/core/reaper/relief.ts';
import { survey } from '../../../src/core/reaper/survey.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import {
  agent as agentNote,
  client,
  deadPane,
  exitedAgent,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  named,
  note,
  onPane,
  pane,
  people,
  plainShell,
  processes,
  screen,
  shell,
  sleepingAgent,
  standing,
  unavailable,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { REAPER, session } from './rounds.ts';

const view = { tier: 'critical' as const, now: NOW, policy: REAPER, isExamined: true };
const judged = (entry: SessionEntry, over: Partial<Parameters<typeof judgeRelief>[1]> = {}) => {
  const { relief, guard } = judgeRelief(entry, { ...view, ...over });
  return relief ?? guard.code;
};
const of = (...evidence: Parameters<typeof session>[1]) => session('one', evidence);

/** Idle for half an hour: long enough for the reaper, and too recent to be safe to close. */
const half = [pane({ lastOutputAt: NOW.at - 30 * MINUTE }), history({ agentSeen: 'claude' })];
const longIdle = withPieces(idleAgent(), ...half);

describe('what may go under pressure', () => {
  it('is what was declared complete and kept for its time, then what is safe to close', () => {
    const done = standing({
      completion: { at: NOW.at - HOUR, outcome: 'done', evidence: null, blockers: [] },
    });
    expect(judged(of(...withPieces(idleAgent(), done)))).toBe('retention-over');
    expect(judged(of(...idleAgent()))).toBe('safe-to-close');
    expect(judged(of(...exitedAgent()))).toBe('safe-to-close');
    expect(judged(of(...deadPane()))).toBe('safe-to-close');
    expect(judged(of(...idleAgent()), { tier: 'moderate' })).toBe('safe-to-close');
  });

  it('is then what is idle for long, with everything proven but rest and saved work', () => {
    expect(of(...longIdle).lifecycle).toBe('active');
    expect(judged(of(...longIdle))).toBe('long-idle');
    const just = pane({ lastOutputAt: NOW.at - REAPER.idleAfterMs });
    expect(judged(of(...withPieces(longIdle, just)))).toBe('long-idle');
    const dirty = of(...withPieces(idleAgent(), git({ dirtyFiles: 3 })));
    expect(dirty.lifecycle).toBe('stale');
    expect(judged(dirty)).toBe('long-idle');
  });

  it('is long idle only from the tier that the settings name', () => {
    expect(judged(of(...longIdle), { tier: 'moderate' })).toBe('pressure-too-low');
    const policy = { ...REAPER, longIdleFrom: 'moderate' as const };
    expect(judged(of(...longIdle), { tier: 'moderate', policy })).toBe('long-idle');
  });

  it('is nothing without pressure, and what would go says so', () => {
    expect(judged(of(...longIdle), { tier: 'normal' })).toBe('no-pressure');
    expect(judged(of(...idleAgent()), { tier: 'normal' })).toBe('no-pressure');
  });
});

describe('what never goes', () => {
  it.each([
    ['working', word({ turn: 'running' })],
    ['waiting', word({ waitingFor: 'permission' })],
    ['working', word({ background: 2 })],
    ['nothing-unsent', word({ hasDraft: true })],
    ['nothing-unsent', word({ isReady: false })],
    ['finished-or-resumable', word({ waitingFor: 'error' })],
    ['attached', people({ clients: [client()] })],
    ['recent-input', people({ awayMs: MINUTE })],
    ['held', standing({ held: { at: NOW.at, reason: null } })],
    ['not-managed', standing({ isManaged: false })],
    ['own-session', standing({ isOwnSession: true })],
    ['closing', standing({ closing: { at: NOW.at } })],
    ['confirmed', history({ agentSeen: 'claude', quietMs: 1 })],
    ['nobody-there', pane({ isInMode: true, lastOutputAt: NOW.at - 30 * MINUTE })],
    ['windows-own', pane({ isWindowShared: true, lastOutputAt: NOW.at - 30 * MINUTE })],
    ['recent', pane({ lastOutputAt: NOW.at - 10 * MINUTE })],
  ])('%s', (code, piece) => {
    expect(judged(of(...withPieces(longIdle, piece)))).toBe(code);
  });

  it('what is not known, what is kept, what is not there, a plain terminal', () => {
    expect(judged(of(...withPieces(longIdle, unavailable('declared'))))).toBe('unknown');
    expect(judged(of(...without(longIdle, 'agent-sign')))).toBe('unknown');
    expect(judged(of(...plainShell()))).toBe('no-agent');
    expect(judged(session('one', longIdle, { lifecycle: 'lost' }))).toBe('lost');
    expect(judged(session('one', longIdle, { lifecycle: 'closed' }))).toBe('closed');
    const kept = standing({
      completion: { at: NOW.at - 1000, outcome: 'done', evidence: null, blockers: [] },
    });
    expect(judged(of(...withPieces(idleAgent(), kept)))).toBe('completed-retained');
    expect(judged(session('one', longIdle, { activity: 'working', reasons: [] }))).toBe('working');
  });

  it('an idle agent beside something that nobody can bring back', () => {
    const beside = onPane('%2', deadPane()).filter((piece) => 'paneId' in piece);
    expect(judged(of(...longIdle, ...beside))).toBe('not-resumable');
  });

  it('an idle agent beside one that sleeps: only one can sleep in a session', () => {
    const beside = onPane('%2', sleepingAgent()).filter((piece) => 'paneId' in piece);
    expect(judged(of(...longIdle, ...beside))).toBe('asleep');
  });

  it('what an agent left behind goes when it is safe, never as an idle one', () => {
    const fresh = of(...withPieces(exitedAgent(), pane({ lastOutputAt: NOW.at - 1000 })));
    expect(judged(fresh)).toBe('rested');
    const dirty = of(...withPieces(exitedAgent(), git({ dirtyFiles: 1 })));
    expect(judged(dirty)).toBe('work-saved');
  });

  it('an idle agent whose folder cannot be seen: nobody knows whether its work stays', () => {
    expect(judged(of(...withPieces(longIdle, git({}, { unseen: 'it is elsewhere' }))))).toBe('work-saved');
  });

  it('a child that the agent does not vouch for, and one that left the tree', () => {
    const job = note({ pid: 400, relation: 'background', program: 'sleep' });
    const away = note({ pid: 401, relation: 'outside', program: 'server' });
    const beside = of(...withPieces(longIdle, processes([shell(), agentNote(), job])));
    expect(judged(beside)).not.toBe('long-idle');
    expect(judged(of(...withPieces(longIdle, processes([shell(), agentNote(), away]))))).toBe(
      'nothing-outside',
    );
  });
});

it('an unread screen keeps nobody from a closer look, and does from anything more', () => {
  const unread = [
    ...without(longIdle, 'screen', 'git', 'agent-sign'),
    word({ hasDraft: undefined as never }),
  ];
  expect(judged(of(...unread), { isExamined: false })).toBe('long-idle');
  expect(judged(of(...unread))).toBe('nothing-unsent');
  const one = of(...unread);
  const seen = (keys: string[]) => survey([one], view, NO_MEMORY, new Set(keys)).candidates.length;
  expect([seen([]), seen(['another']), seen([one.key])]).toEqual([1, 1, 0]);
  const draft = withPieces(longIdle, word({ hasDraft: true }), screen());
  expect(judged(of(...draft), { isExamined: false })).toBe('nothing-unsent');
});

it('only what can be resumed as a whole is resumable', () => {
  expect(isResumable(of(...idleAgent()))).toBe(true);
  expect(isResumable(of(...withPieces(idleAgent(), named({ resume: [] }))))).toBe(false);
  expect(isResumable(of(...idleAgent(), ...onPane('%2', plainShell())))).toBe(false);
  expect(isResumable(session('none', []))).toBe(false);
});
