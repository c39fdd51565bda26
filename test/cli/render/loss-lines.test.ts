import { describe, expect, it } from 'vitest';
import { lossLines } from '../../../src/cli/close/report.ts';
import { printLines } from '../../../src/cli/render/line.ts';
import type { Activity, Blocker } from '../../../src/core/verdict/verdict.ts';

const lost = (code: string, text = 'why'): Blocker => ({ code, kind: 'would-lose', text });
const rested: Blocker = { code: 'rested', kind: 'unfinished', text: 'it has rested for 1 s' };

function said(blockers: readonly Blocker[], activity: Activity = 'idle'): string {
  const agent = { pid: 7, startTicks: 1, program: 'claude', command: 'claude', paneId: '%1' };
  const processes = [{ ...agent, what: 'end' as const, why: null }];
  return printLines(lossLines({ name: 'worker', activity, blockers }, processes), false);
}

describe('number 4: before it is forced', () => {
  it('it is said what may be lost first, and what stays as it is', () => {
    expect(said([rested, lost('nothing-unsent', 'text stands in the input')])).toBe(
      [
        'worker: forced',
        '  may lose what is typed and not sent: text stands in the input (nothing-unsent)',
        '  unfinished, stays as it is: it has rested for 1 s (rested)',
        '  ends: claude (pid 7)',
        '',
      ].join('\n'),
    );
  });

  it('it is said where nobody needs to', () => {
    expect(said([rested])).toMatch(
      /^worker: forced, though nothing would be lost: it closes without --force/,
    );
  });

  it.each<[Activity, string]>([
    ['working', 'may lose what it is working on'],
    ['waiting', 'may lose what it asks'],
    ['starting', 'may lose what it begins'],
    ['none', 'may lose what only this terminal knows'],
    ['unknown', 'may be lost'],
  ])('what is lost with one that is %s is named', (activity, text) => {
    expect(said([lost('at-rest')], activity)).toContain(`  ${text}: why (at-rest)\n`);
  });

  it('nothing is said of nothing', () => {
    expect(lossLines({ name: 'worker', activity: 'idle', blockers: [] }, [])).toEqual([]);
  });
});
