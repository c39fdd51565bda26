import { describe, expect, it } from 'vitest';
import type { LaneOutcome } from '../../accuracy/lane.ts';
import { lanesFor } from '../../accuracy/lanes.ts';
import { markdown, summary } from '../../accuracy/report.ts';
import type { Sample } from '../../accuracy/sample.ts';
import { judge } from '../../accuracy/sample.ts';
import type { Said } from '../../accuracy/score.ts';

const [lane] = lanesFor({ agents: ['claude'], hooks: [false], states: null, isQuick: true });
const working = { state: 'working: streaming', activity: 'working', mayClose: false } as const;
const idle = { state: 'idle: after a turn', activity: 'idle', mayClose: true } as const;
const MARKS = [
  { at: 0, truth: working },
  { at: 10_000, truth: idle },
];

function outcome(...said: readonly (readonly [number, Said['activity']])[]): LaneOutcome {
  const samples = said.map(([at, activity]): Sample => {
    const verdict = { activity, waitingFor: null, lifecycle: 'active' } as const;
    const reasons = [{ code: 'agent-says', source: 'agent', text: 'its title | says so' }] as const;
    return {
      ...{
        lane: 'claude',
        session: 's',
        startedAt: at,
        endedAt: at + 10,
        said: verdict,
        reasons,
        blockers: [],
      },
      ...{ word: null, screen: 'x', title: '', rival: { ...verdict, activity: 'idle' } },
    };
  });
  if (!lane) throw new Error('there is no lane for claude');
  const notReached = [{ state: 'question', why: 'it has none', screens: [] }];
  return { lane, judged: judge(samples, MARKS), marks: [], notReached };
}

describe('the report of an accuracy run', () => {
  it('lists every sample in which a busy session was called idle, with its reasons', () => {
    const page = markdown([outcome([2000, 'idle'], [3000, 'working'])], 'a machine');
    expect(page).toContain(
      '| claude | working: streaming | +2.0 s | idle, active | agent-says: its title \\| says so |',
    );
    expect(page).not.toContain('No busy session was called idle');
  });

  it('counts what was settling apart, and idle states that nobody recognised', () => {
    const held = [11_500, 12_000, 12_500, 13_000, 13_500].map((at) => [at, 'unknown'] as const);
    expect(summary([outcome([500, 'idle'], [2000, 'working'], ...held)])).toBe(
      '6 samples: 1 right, 5 unknown, 0 wrong; busy called idle or closable: 0 (and 1 while settling); idle never recognised: 1 of 1',
    );
  });

  it('holds the other tool against the same samples, and says what was not reached', () => {
    const page = markdown([outcome([2000, 'working'], [12_000, 'idle'])], 'a machine');
    expect(page).toMatch(/\| claude \| rollcall \| 2 \| 2 \| 0 \| 0 \| 0 \|/);
    expect(page).toMatch(/\| claude \| ccmanager [\d.]+ \| 2 \| 1 \| 0 \| 1 \| 1 \|/);
    expect(page).toContain('| claude | question | it has none |');
  });
});
