import { describe, expect, it } from 'vitest';
import { readClosing, readEnding } from '../../../src/core/close/bodies.ts';

describe('what was about to be closed', () => {
  const sleep = { paneId: '%1', kind: 'claude', conversation: 'c', cwd: '/w', resume: ['claude'], bytes: 5 };
  const sleepOf = (over: object) => readClosing({ sleep: { ...sleep, isPaneKept: true, ...over } }).sleep;

  it('tells how an agent was put to sleep, and what becomes of its pane', () => {
    const end = { run: 'r', isKept: true };
    expect(sleepOf({ end })).toEqual({ ...sleep, isPaneKept: true, end });
    expect(sleepOf({ end: { run: 'r' } })?.end).toEqual({ run: 'r', isKept: false });
    expect(sleepOf({ end: { remain: 'on' } })?.end).toEqual({ remain: 'on' });
    for (const odd of [{}, { end: null }, { end: 7 }, { end: { run: 1 } }]) {
      expect(sleepOf(odd)?.end).toEqual({ remain: null });
    }
  });

  it('tells of no sleep without its pane, and of the rest what it can', () => {
    expect([sleepOf({ paneId: 7 }), readClosing({}).sleep, readClosing({ sleep: 'x' }).sleep]).toEqual([
      ...[null, null, null],
    ]);
    expect(sleepOf({ kind: 1, cwd: 1, resume: [1], bytes: 'x', isPaneKept: 1 })).toMatchObject({
      ...{ kind: '', cwd: '/', resume: null, bytes: null, isPaneKept: false },
    });
  });

  it('names no session where it does not say which: none has such an id, and none was created then', () => {
    expect(readClosing({})).toMatchObject({ sessionId: '', createdAtSeconds: 0 });
  });

  it('tells of everything that was set aside, also where it is not understood', () => {
    const whole = { code: 'held', kind: 'would-lose', text: 't' };
    expect(readClosing({ waived: [whole, { code: 'x', kind: 'new' }, 7] }).waived).toEqual([
      whole,
      { code: 'x', text: '' },
      { code: '', text: '' },
    ]);
  });
});

it('what the doctor was about to end is known by its marks', () => {
  const mark = { pid: 1, startTicks: 2 };
  expect(readEnding({ processes: [{ ...mark, program: 'sh' }, { pid: 1 }, 7] })).toEqual([mark]);
  expect(readEnding({})).toEqual([]);
});
