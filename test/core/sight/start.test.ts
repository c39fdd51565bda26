import { describe, expect, it } from 'vitest';
import { parseStart, type Start, startText, wordsOf } from '../../../src/core/sight/start.ts';

const START: Start = {
  ...{ run: 'w-1', program: '/bin/claude', argv: ['claude', '--api-key', 'k'], cwd: '/p' },
  ...{ env: { TOKEN: 't' }, isClean: true, remain: false },
};

describe('a start that is kept', () => {
  it('is read as it was written', () => {
    const kept = { paneId: '%3', start: START };
    expect(parseStart(startText(kept, 'salt'))).toEqual(kept);
    expect(startText(kept, 'salt')).not.toBe(startText(kept, 'other'));
    const bare = { paneId: null, start: { ...START, program: null, isClean: false, remain: true } };
    expect(parseStart(startText(bare, ''))).toEqual(bare);
  });

  it('is nothing where it is not whole', () => {
    for (const text of ['', '3', '{', '{}', '{"run":"w"}', '{"run":"w","cwd":"/"}']) {
      expect(parseStart(text)).toBeNull();
    }
    for (const half of ['run', 'cwd', 'argv'])
      expect(parseStart(JSON.stringify({ ...START, [half]: undefined }))).toBeNull();
    const odd = { run: 'w', cwd: '/', argv: ['x'], env: { A: 1, B: 'b' }, program: 7 };
    expect(parseStart(JSON.stringify(odd))).toMatchObject({ start: { env: { B: 'b' }, program: null } });
    expect(parseStart(JSON.stringify({ ...odd, env: undefined }))?.start.env).toEqual({});
  });

  it('names its program by its path, where that is known', () => {
    expect(wordsOf(START)).toEqual(['/bin/claude', '--api-key', 'k']);
    expect(wordsOf({ ...START, program: null })).toEqual(START.argv);
  });
});
