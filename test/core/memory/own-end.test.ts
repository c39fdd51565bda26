import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EndRecord } from '../../../src/core/memory/ended.ts';
import type { Expected } from '../../../src/core/memory/lost.ts';
import { ownEnd, type SeenLife } from '../../../src/core/memory/seen-life.ts';

const ENDED = 1_700_000_000_000;
const server = { socketPath: '/tmp/s', pid: 42, startTicks: 777 };
const origin = {
  ...{ at: 5, sequence: 1, how: 'started' as const, pane: { paneId: '%7', pid: 70 } },
  place: { server, sessionId: '$3', createdAtSeconds: 17 },
};
const facts = (over: Partial<SessionFacts> = {}): Expected => ({
  ...{ key: 'k', name: 'build', held: null, retained: null, completion: null },
  claims: { task: null, role: null, owner: null, branch: null, worktree: null, pr: null },
  ...{ closing: null, closed: null, reopened: null },
  ...over,
  origin,
});
const record = (over: Partial<EndRecord> = {}): EndRecord => ({
  ...{ run: 'r', exitStatus: 0, exitSignal: null, endedAt: ENDED, lines: ['bye'], pid: 70 },
  sessions: new Map([['$3', 1]]),
  ...over,
});
const textOf = (...told: Parameters<typeof ownEnd>) => {
  const own = ownEnd(...told);
  return own.end === null ? own.text : null;
};

describe('the end of a program is that of its session', () => {
  it('where it was all of it, and nothing came after', () => {
    const end = { exitStatus: 0, exitSignal: null, endedAt: ENDED, lines: ['bye'] };
    expect(ownEnd(record(), facts(), undefined)).toEqual({ end });
    expect(ownEnd(record(), facts({ wantedAt: ENDED + 900 }), {})).toEqual({ end });
    // Somebody looks at its windows through a session of their own.
    const shown = new Map([
      ['$9', 1],
      ['$3', 1],
    ]);
    expect(ownEnd(record({ sessions: shown }), facts(), {})).toEqual({ end });
  });

  it.each<[string, string, EndRecord, Expected, SeenLife]>([
    [
      'not if another program ran in the pane by then',
      'another program in its pane ended with status 0 before',
      record({ pid: 71 }),
      facts(),
      {},
    ],
    [
      'not if the record does not tell of which process it is',
      'another program in its pane ended with status 0 before',
      record({ pid: null }),
      facts(),
      {},
    ],
    [
      'not if the pane was in another session',
      'its program ended with status 0 before, in another session',
      record({ sessions: new Map([['$9', 1]]) }),
      facts(),
      {},
    ],
    [
      'not if the session had other panes',
      'its program ended with status 0 before, other panes ran on',
      record({ sessions: new Map([['$3', 2]]) }),
      facts(),
      {},
    ],
    [
      'not if a look saw another program in it afterwards',
      'its program ended with status 0 before, another one was seen in it since',
      record(),
      facts(),
      { isOvertaken: true },
    ],
    [
      'not if it was held, kept, claimed or given work afterwards',
      'its program ended with status 0 before, and somebody counted on it since',
      record(),
      facts({ wantedAt: ENDED + 1001 }),
      {},
    ],
  ])('%s', (_, text, one, known, life) => {
    expect(textOf(one, known, life)).toBe(text);
  });

  it('not if the ledger does not tell with which process the session began', () => {
    const { pane: _, ...unknown } = origin;
    expect(textOf(record(), { ...facts(), origin: unknown }, undefined)).not.toBeNull();
  });
});

describe('a completion before the end is overtaken', () => {
  const AT = ENDED - 9000;
  const complete = facts({ completion: { at: AT, sequence: 2, outcome: 'done', body: {} } });
  const killed = record({ exitStatus: null, exitSignal: '9' });

  it('by work that a look saw after it', () => {
    expect(ownEnd(killed, complete, { workedAfter: AT }).end?.isOvertaken).toBe(true);
    expect(ownEnd(killed, complete, { inTurnAfter: AT }).end?.isOvertaken).toBe(true);
  });

  it.each<[string, SeenLife | undefined]>([
    ['where nobody looked since', undefined],
    ['by a session at rest', {}],
    ['by what came after another one', { workedAfter: AT - 1 }],
  ])('not %s', (_, life) => {
    expect(ownEnd(killed, complete, life).end).not.toHaveProperty('isOvertaken');
  });
});
