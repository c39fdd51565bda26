import { describe, expect, it } from 'vitest';
import type { UnseenFolder } from '../../../src/core/sight/process.ts';
import {
  covered,
  ELSEWHERE,
  foreignRepository,
  foreignWorkTree,
  unseenIn,
} from '../../../src/core/verdict/unseen-folder.ts';

const worker = (pid: number, unseen?: UnseenFolder, relation: 'foreground' | 'outside' = 'foreground') => ({
  note: { pid, program: `p${pid}`, relation },
  ...(unseen && { unseen }),
});

describe('what a pane works in', () => {
  it('is seen where nothing of it is elsewhere', () => {
    expect(unseenIn([worker(1), worker(2)], worker(1))).toBeNull();
    expect(unseenIn([], undefined)).toBeNull();
  });

  it('is not seen where the program in front is elsewhere, or hides where it is', () => {
    expect(unseenIn([worker(1, 'elsewhere')], worker(1, 'elsewhere'))).toBe(
      `the folder of p1 (pid 1) is ${ELSEWHERE}`,
    );
    expect(unseenIn([worker(1, 'hidden')], worker(1, 'hidden'))).toBe(
      'the folder of p1 (pid 1) cannot be read',
    );
  });

  it('is not seen where a child of it is elsewhere; one that hides, or left the pane, proves nothing', () => {
    expect(unseenIn([worker(1), worker(2, 'elsewhere')], worker(1))).toContain('p2 (pid 2)');
    expect(unseenIn([worker(1), worker(2, 'hidden')], worker(1))).toBeNull();
    expect(unseenIn([worker(1), worker(2, 'elsewhere', 'outside')], worker(1))).toBeNull();
  });

  it('is named where it lost its path, and where only its repository or its work tree is elsewhere', () => {
    expect(covered({ pid: 1, program: 'sh' })).toContain('the folder of sh (pid 1) is no longer at its path');
    expect(foreignRepository({ pid: 1, program: 'sh' })).toContain(
      'the repository of sh (pid 1) is in another',
    );
    expect(foreignWorkTree({ pid: 1, program: 'sh' }, '/home/me/r')).toContain(
      'part of the work tree /home/me/r of sh (pid 1) is in another',
    );
  });
});
