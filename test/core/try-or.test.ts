import { describe, expect, it } from 'vitest';
import { succeeds, tryOr, unless } from '../../src/core/try-or.ts';

const failing = (code?: string) => () => {
  throw Object.assign(new Error('no'), { code });
};

describe('tryOr', () => {
  it('gives what the work gives, also where that is nothing', () => {
    expect(tryOr('other', () => 'own')).toBe('own');
    expect(tryOr('other', () => undefined)).toBe(undefined);
  });

  it('gives the other value where the work throws, whatever it throws', () => {
    expect(tryOr('other', failing())).toBe('other');
    expect(
      tryOr(null, () => {
        throw null;
      }),
    ).toBe(null);
  });
});

describe('succeeds', () => {
  it('says whether the work came to its end', () => {
    let count = 0;
    expect(
      succeeds(() => {
        count += 1;
      }),
    ).toBe(true);
    expect(succeeds(failing('ENOENT'))).toBe(false);
    expect(count).toBe(1);
  });
});

describe('unless', () => {
  it('gives what the work gives', () => {
    expect(unless('ENOENT', 'other', () => 'own')).toBe('own');
  });

  it('gives the other value for this one code only', () => {
    expect(unless('ENOENT', 'other', failing('ENOENT'))).toBe('other');
    expect(() => unless('ENOENT', 'other', failing('EACCES'))).toThrow('no');
    expect(() => unless('ENOENT', 'other', failing())).toThrow('no');
    expect(() =>
      unless('ENOENT', 'other', () => {
        throw null;
      }),
    ).toThrow();
  });
});
