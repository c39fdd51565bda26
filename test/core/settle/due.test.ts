import { describe, expect, it } from 'vitest';
import { dueOf, duesIn, isDue } from '../../../src/core/settle/due.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import type { RolePolicy } from '../../../src/core/verdict/policy.ts';
import {
  client,
  git,
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  POLICY,
  pane,
  people,
  standing,
  unavailable,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { entry } from '../close/entry.ts';

const complete = (evidence: Evidence[], agoMs = HOUR, over: Parameters<typeof standing>[0] = {}) =>
  withPieces(
    evidence,
    standing({
      completion: { at: NOW.at - agoMs, outcome: 'done', evidence: null, blockers: [] },
      ...over,
    }),
  );
const due = (evidence: Evidence[], role: Partial<RolePolicy> = {}, over: Partial<SessionEntry> = {}) =>
  dueOf({ ...entry(evidence), ...over }, NOW.at, {
    ...POLICY,
    defaultRole: { ...POLICY.defaultRole, ...role },
  });

describe('a session whose work was declared complete is', () => {
  it('due once its time is over and everything is proven', () => {
    expect(due(complete(idleAgent()))).toEqual({
      ...{ key: expect.any(String), name: expect.any(String), dueAt: NOW.at, state: 'due' },
      why: 'declared complete 1 h ago; nothing would be lost',
    });
    expect(isDue(entry(complete(idleAgent())))).toBe(true);
    expect(duesIn([entry(complete(idleAgent())), entry(idleAgent())], NOW.at, POLICY)).toHaveLength(1);
  });

  it('due by its completion only where that makes it safe to close, and at work only while it is active', () => {
    const done = entry(complete(idleAgent()));
    expect(isDue({ ...done, lifecycle: 'stale' })).toBe(false);
    const state = (over: Partial<SessionEntry>) => due(complete(idleAgent()), {}, over)?.state;
    expect(state({ lifecycle: 'active', activity: 'working' })).toBe('working');
    expect(state({ lifecycle: 'active', activity: 'idle' })).toBe('unproven');
    expect(state({ lifecycle: 'stale', activity: 'working' })).toBe('unproven');
  });

  it('not due where it was used since, however long it rests', () => {
    const used = complete(withPieces(idleAgent(), history({ used: 'x' })));
    expect([due(used), isDue(entry(used))]).toEqual([null, false]);
  });

  it.each<[string, string, number | null, string, Evidence[]]>([
    [
      'later, while it is kept',
      'later',
      9 * MINUTE,
      'declared complete 1 min ago',
      complete(idleAgent(), MINUTE),
    ],
    [
      'later, while somebody wants it kept',
      'later',
      HOUR,
      'kept on request',
      complete(idleAgent(), HOUR, { retained: { at: NOW.at, until: NOW.at + HOUR, reason: null } }),
    ],
    [
      'to go after its turn',
      'working',
      null,
      'declared complete 1 h ago; it may be closed 10 min after this turn',
      complete(withPieces(idleAgent(), word({ turn: 'running' }))),
    ],
    [
      'not proven, where something is missing',
      'unproven',
      null,
      '2 uncommitted files on branch topic',
      complete(withPieces(idleAgent(), git({ dirtyFiles: 2 }))),
    ],
    [
      'not proven, where nothing is known',
      'unproven',
      null,
      'tmux does not answer',
      complete([...idleAgent(), unavailable('tmux')]),
    ],
    [
      'protected, while it is held',
      'protected',
      null,
      'held for under 1 s',
      complete(idleAgent(), HOUR, { held: { at: NOW.at, reason: null } }),
    ],
    [
      'protected, while a person is there',
      'protected',
      null,
      '1 attached',
      complete(withPieces(idleAgent(), people({ clients: [client()] }))),
    ],
    [
      'being closed',
      'closing',
      null,
      'its close began under 1 s ago',
      complete(idleAgent(), HOUR, { closing: { at: NOW.at } }),
    ],
  ])('%s', (_, state, leftMs, why, evidence) => {
    expect(due(evidence)).toMatchObject({ state, why, dueAt: leftMs === null ? null : NOW.at + leftMs });
  });
});

describe('nothing is due', () => {
  it.each<[string, ReturnType<typeof due>]>([
    ['without a completion, however long it rested', due(idleAgent())],
    ['without a word on its standing', due(without(idleAgent(), 'standing'))],
    ['S60: of what another ledger started', due(complete(idleAgent(), HOUR, { isManaged: false }))],
    ['where its role keeps it', due(complete(idleAgent()), { onComplete: 'keep' })],
    ['of what is lost', due(complete(idleAgent()), {}, { lifecycle: 'lost' })],
    ['of what is closed', due(complete(idleAgent()), {}, { lifecycle: 'closed' })],
    [
      'S29: by a completion that says failed',
      due(
        complete(idleAgent(), HOUR, {
          completion: { at: NOW.at, outcome: 'failed', evidence: null, blockers: [] },
        }),
      ),
    ],
  ])('%s', (_, found) => {
    expect(found).toBeNull();
  });

  it('by rest alone, and it needs no reason to say so', () => {
    const rested = entry(
      withPieces(idleAgent(), pane({ isFullScreen: true, lastOutputAt: NOW.at - 9 * HOUR })),
    );
    expect([rested.lifecycle, isDue(rested), isDue({ ...rested, reasons: [] })]).toEqual([
      ...['safe-to-close', false, false],
    ]);
    expect(due(complete(idleAgent()), {}, { reasons: [] })).toMatchObject({ state: 'unproven', why: '' });
  });
});
