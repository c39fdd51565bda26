import { describe, expect, it } from 'vitest';
import type { Start } from '../../../src/core/sight/start.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { dropStarts, keepStart } from '../../../src/engine/act/keep-start.ts';
import type { RunWish } from '../../../src/engine/act/run-wish.ts';

const DAY = 86_400_000;
const WISH: RunWish = {
  ...{ socketPath: '/s', name: 'n', onCollision: 'fail', cwd: '/p', argv: ['claude', '-x'], claims: {} },
  ...{ env: { TOKEN: 't' }, remain: true, agent: null },
};
const START: Start = {
  ...{ run: 'w', program: '/bin/claude', argv: ['claude', '-x'], cwd: '/p', env: { TOKEN: 't' } },
  ...{ isClean: true, remain: true },
};

function keeping(wish: RunWish, over: Partial<Hands> = {}) {
  const kept: unknown[] = [];
  const asked: unknown[] = [];
  const hands = {
    callerEnv: { PATH: '/callers' },
    findProgram: (...words: unknown[]) => {
      asked.push(words);
      return '/bin/claude';
    },
    starts: { keep: (start: Start) => void kept.push(start) },
    ...over,
  } as unknown as Hands;
  return { answer: keepStart(hands, wish, 'w'), kept, asked };
}

describe('how something is about to be started', () => {
  it('is kept with its program by its path', () => {
    expect(keeping(WISH)).toEqual({ answer: null, kept: [START], asked: [['claude', '/p', '/callers']] });
    const caller = { values: {}, leftToServer: [] };
    const other = keeping({ ...WISH, caller, env: { PATH: '/own', A: 'a' }, given: { A: 'a' } });
    expect(other).toMatchObject({
      kept: [{ env: { A: 'a' }, isClean: false }],
      asked: [['claude', '/p', '/own']],
    });
  });

  it('is not started where it cannot be kept', () => {
    const starts = {
      keep: () => {
        throw new Error('no space left');
      },
    } as unknown as Hands['starts'];
    expect(keeping(WISH, { starts }).answer).toBe('how it is started could not be kept: no space left');
  });
});

interface Known {
  readonly run: string;
  readonly receipt?: string;
}

function dropped(
  runs: Record<string, number>,
  known: readonly Known[],
  over: { damage?: object; loss?: object } = {},
) {
  const gone: string[] = [];
  const facts = new Map(
    known.map(({ run, receipt }) => [run, { origin: { run }, closed: receipt ? { receipt } : null }]),
  );
  const openIntents = new Map([[1, { body: { run: 'begun' } }]]);
  const hands = {
    now: () => 10 * DAY,
    starts: {
      all: () => Object.entries(runs).map(([run, age]) => ({ run, keptAt: 10 * DAY - age })),
      drop: (run: string) => void gone.push(run),
    },
    ledger: {
      facts: () => ({ folded: { facts, openIntents, loss: over.loss ?? null }, damage: over.damage ?? null }),
    },
    archive: {
      start: (id: string) =>
        id === 'whole'
          ? { state: 'read', start: { paneId: null, start: { ...START, run: 'closed' } } }
          : { state: 'absent' },
    },
  } as unknown as Hands;
  dropStarts(hands);
  return gone;
}

describe('a start that was kept', () => {
  it('goes once the archive has it, and not before', () => {
    expect(dropped({ closed: 1 }, [{ run: 'closed', receipt: 'whole' }])).toEqual(['closed']);
    expect(dropped({ other: 1 }, [{ run: 'other', receipt: 'whole' }])).toEqual([]);
    expect(dropped({ finished: 9 * DAY }, [{ run: 'finished', receipt: 'none' }])).toEqual([]);
    expect(dropped({ runs: 9 * DAY }, [{ run: 'runs' }])).toEqual([]);
    expect(dropped({}, [])).toEqual([]);
  });

  it('goes after a day where no session is known that was started so', () => {
    expect(dropped({ old: DAY + 1, young: DAY, begun: 5 * DAY }, [])).toEqual(['old']);
  });

  it('stays where the ledger lacks something', () => {
    expect(dropped({ old: 5 * DAY }, [], { loss: {} })).toEqual([]);
    expect(dropped({ old: 5 * DAY }, [], { damage: {} })).toEqual([]);
  });
});
