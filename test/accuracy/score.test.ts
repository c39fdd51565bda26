import { describe, expect, it } from 'vitest';
import type { Said } from '../../accuracy/score.ts';
import { isDangerous, percentile, scoreOf } from '../../accuracy/score.ts';
import type { Truth } from '../../accuracy/truth.ts';

const working: Truth = { state: 's', activity: 'working', mayClose: false };
const waiting: Truth = { state: 's', activity: 'waiting', waitingFor: 'permission', mayClose: false };
const idle: Truth = { state: 's', activity: 'idle', mayClose: true };
const draft: Truth = { ...idle, mayClose: false };
const gone: Truth = { state: 's', activity: 'gone', mayClose: true };
const says = (activity: Said['activity'], more: Partial<Said> = {}): Said => ({
  activity,
  waitingFor: null,
  lifecycle: 'active',
  ...more,
});

describe('a verdict held against the truth', () => {
  it.each([
    ['working', working, says('working'), 'right', false],
    ['unknown claims nothing', working, says('unknown'), 'unknown', false],
    ['starting claims nothing', idle, says('starting'), 'unknown', false],
    ['working called idle', working, says('idle'), 'wrong', true],
    ['working called exited', working, says('exited'), 'wrong', true],
    ['working called closable', working, says('working', { lifecycle: 'safe-to-close' }), 'right', true],
    ['waiting for the right thing', waiting, says('waiting', { waitingFor: 'permission' }), 'right', false],
    ['waiting for another thing', waiting, says('waiting', { waitingFor: 'question' }), 'wrong', false],
    ['waiting called idle', waiting, says('idle'), 'wrong', true],
    ['idle and closable', idle, says('idle', { lifecycle: 'safe-to-close' }), 'right', false],
    ['a draft, idle', draft, says('idle'), 'right', false],
    ['a draft, closable', draft, says('idle', { lifecycle: 'safe-to-close' }), 'right', true],
    ['idle called working', idle, says('working'), 'wrong', false],
    ['gone and exited', gone, says('exited', { lifecycle: 'safe-to-close' }), 'right', false],
    ['gone called idle', gone, says('idle'), 'wrong', false],
    ['gone called working', gone, says('working'), 'wrong', false],
    ['gone from the roll', gone, null, 'right', false],
    ['alive and not on the roll', idle, null, 'wrong', false],
    ['one of several right answers', { ...idle, also: ['waiting'] }, says('waiting'), 'right', false],
  ] as const)('%s', (_name, truth, said, score, danger) => {
    expect([scoreOf(truth, said), isDangerous(truth, said)]).toEqual([score, danger]);
  });

  it('takes percentiles from what was measured', () => {
    expect(percentile([5, 1, 3, 2, 4], 0.5)).toBe(3);
    expect(percentile([5, 1, 3, 2, 4], 0.95)).toBe(5);
    expect(percentile([], 0.5)).toBeNull();
  });
});
