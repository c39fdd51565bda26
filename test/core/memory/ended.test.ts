import { describe, expect, it } from 'vitest';
import { endBody, endIn, endWords, isEndHook, lastLines, parseEnd } from '../../../src/core/memory/ended.ts';

const record = (...rows: string[]) => ['rollcall-end 1', ...rows].join('\n');
const HEAD = ['status 3', 'signal ', 'pid 77', 'session $3 ..', 'time 1700000000', 'session $4 .', ''];

describe('the record of an end', () => {
  it('tells status, time, process, whose pane it was and the last lines', () => {
    const text = record(...HEAD, 'one  ', '', 'token=abcdefgh12345678', 'Pane is dead (status 3)', '', '');
    expect(parseEnd('r1', `${text}rollcall-end whole\n`)).toEqual({
      run: 'r1',
      exitStatus: 3,
      exitSignal: null,
      endedAt: 1_700_000_000_000,
      pid: 77,
      sessions: new Map([
        ['$3', 2],
        ['$4', 1],
      ]),
      lines: ['one', 'token=***'],
    });
  });

  it('does not show what its program was given, whole or by lines', () => {
    const rows = ['a swordfish-of-wednesday', 'swordfish', 'two lines', 'of one value', 'in abc'];
    const text = record(...HEAD, ...rows, 'rollcall-end whole');
    const given = ['swordfish', 'swordfish-of-wednesday', 'two lines\n of one value\n', 'abc', ''];
    expect(parseEnd('r', text, given)?.lines).toEqual(['a ***', '***', '***', '***', 'in abc']);
  });

  it('tells a signal; what an older tmux does not tell is not known', () => {
    const of = (...rows: string[]) => parseEnd('r', record(...rows, 'time 5', '', 'rollcall-end whole'));
    expect(of('status', 'signal 9')).toMatchObject({ exitStatus: null, exitSignal: '9' });
    expect(of()).toMatchObject({ exitStatus: null, exitSignal: null, pid: null, sessions: new Map() });
  });

  it('of a session that is told of twice the greater number of panes counts', () => {
    const of = (...rows: string[]) => parseEnd('r', record(...rows, 'time 5', '', 'rollcall-end whole'));
    expect(of('session $3 ..', 'session $3 .')?.sessions).toEqual(new Map([['$3', 2]]));
    expect(of('session')?.sessions).toEqual(new Map([['', 0]]));
  });

  it.each([
    ['is empty', ''],
    ['has another beginning', 'something\ntime 5\n\nrollcall-end whole\n'],
    ['was not written to its end', record(...HEAD, 'one')],
    ['has no gap', record('time 5', 'rollcall-end whole')],
    ['has its end before its screen', record('rollcall-end whole', 'time 5', '')],
    ['has no time', record('status 3', '', 'rollcall-end whole')],
  ])('one that %s is none', (_, text) => {
    expect(parseEnd('r', text)).toBeNull();
  });

  it('knows the hook that writes it', () => {
    expect(isEndHook(['/bin/sh', '-c', "printf '%s' 'rollcall-end 1'"])).toBe(true);
    expect(isEndHook(['/bin/sh', '-c', 'make'])).toBe(false);
  });

  it('keeps so many lines', () => {
    const rows = Array.from({ length: 50 }, (_, index) => `row ${index}`);
    expect(lastLines(rows)).toHaveLength(40);
    expect(lastLines(rows, { most: 2 })).toEqual(['row 48', 'row 49']);
  });
});

describe('an end in the ledger', () => {
  const end = { exitStatus: 3, exitSignal: null, endedAt: 5, lines: ['one'] };

  it('comes back as it went in', () => {
    expect(endIn(endBody(end))).toEqual(end);
    expect(endIn(endBody({ ...end, isOvertaken: true }))).toEqual({ ...end, isOvertaken: true });
    expect(endIn({ text: 'nothing' })).toBeNull();
  });

  it.each([
    [{ exitStatus: 3, exitSignal: null }, 'ended with status 3'],
    [{ exitStatus: null, exitSignal: '9' }, 'ended by signal 9'],
    [{ exitStatus: null, exitSignal: null }, 'ended; tmux did not tell how'],
  ])('%j in words', (how, words) => {
    expect(endWords(how)).toBe(words);
  });
});
