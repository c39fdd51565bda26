import { describe, expect, it } from 'vitest';
import { programPath } from '../../../src/core/sight/program-path.ts';

describe('where rollcall looks for programs', () => {
  it.each([
    ['/usr/local/bin:/bin', '/usr/local/bin:/bin'],
    ['node_modules/.bin:/bin', '/bin'],
    [':/bin:.:./x:~/bin:', '/bin'],
    ['.', '/usr/bin:/bin'],
    ['', '/usr/bin:/bin'],
    [undefined, '/usr/bin:/bin'],
  ])('%s: only in folders that are the same from everywhere', (path, expected) => {
    expect(programPath(path)).toBe(expected);
  });
});
