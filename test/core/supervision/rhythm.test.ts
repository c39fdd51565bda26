import { describe, expect, test } from 'vitest';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import {
  isSilent,
  nextRoundInMs,
  type RhythmFacts,
  sharePercent,
  stillRoundInMs,
} from '../../../src/core/supervision/rhythm.ts';
import { entry, NOW, roll } from '../../cli/render/samples.ts';
import { pressure } from './supervision-samples.ts';

const idle = (name: string) => entry(name, { activity: 'idle' });
const heard = (name: string, activity: SessionEntry['activity']) =>
  entry(name, {
    activity,
    evidence: [{ kind: 'sensor-unavailable', source: 'hook', observedAt: NOW, text: '' }],
  });

/** A command that has not returned, quiet for so long. */
const command = (quietMs: readonly number[], changes: Partial<SessionEntry> = {}) =>
  entry('c', {
    activity: 'working',
    agent: null,
    evidence: quietMs.map((ms, index) => ({
      ...{ kind: 'history', source: 'history', observedAt: NOW, paneId: `%${index}` },
      ...{ observations: 9, quietMs: ms },
    })),
    ...changes,
  });

const facts = (sessions: readonly SessionEntry[], changes: Partial<RhythmFacts> = {}): RhythmFacts => ({
  ...{ roll: roll(sessions), pressure: pressure(), graceInMs: null, sinceChangeMs: null, costMs: 1 },
  ...{ mayBecomeDue: false, stillMs: 0, ...changes },
});
const next = (...given: Parameters<typeof facts>) => nextRoundInMs(facts(...given));
const still = (...given: Parameters<typeof facts>) => stillRoundInMs(facts(...given));

describe('the time until the next round', () => {
  test('is long where nothing does anything', () => {
    expect(next([])).toBe(10_000);
    expect(next([idle('a'), heard('b', 'waiting')])).toBe(10_000);
    expect(next([idle('a')], { sinceChangeMs: 60_000 })).toBe(10_000);
  });

  test.each(['working', 'starting', 'waiting'] as const)(
    'is short where one is %s without hooks',
    (activity) => {
      expect(next([idle('a'), entry('b', { activity })])).toBe(1500);
      const [unheard] = heard('b', activity).evidence.map((one) => ({ ...one, source: 'screen' as const }));
      const told = entry('b', { activity, evidence: unheard ? [unheard as never] : [] });
      expect(next([idle('a'), told])).toBe(1500);
    },
  );

  test('is short after a change, and where memory is all but gone', () => {
    expect(next([idle('a')], { sinceChangeMs: 0 })).toBe(1500);
    expect(next([idle('a')], { pressure: pressure({ tier: 'critical' }) })).toBe(1500);
  });

  test('is between where agents tell of their work, or memory runs short or may soon', () => {
    expect(next([heard('a', 'working')])).toBe(4000);
    expect(next([], { pressure: pressure({ tier: 'moderate' }) })).toBe(4000);
    const soon = { tier: 'moderate', inMs: 5000, signal: null } as const;
    expect(next([], { pressure: pressure({ next: soon }) })).toBe(4000);
  });

  test('comes when a grace ends, and looks at it meanwhile', () => {
    expect(next([], { graceInMs: 60_000, costMs: 900 })).toBe(1500);
    expect(next([], { graceInMs: 800 })).toBe(800);
    expect(next([], { graceInMs: -5 })).toBe(500);
  });

  test('grows with what a round costs, so that rounds take a share of one core that stays small', () => {
    const many = Array.from({ length: 200 }, (_, index) => idle(`s${index}`));
    expect(next(many, { costMs: 80 })).toBe(Math.round(8000 / 0.7));
    expect(next(many, { costMs: 10_000 })).toBe(30_000);
    const thousand = Array.from({ length: 1000 }, (_, index) => idle(`s${index}`));
    expect(next(thousand, { costMs: 300 })).toBe(Math.round(30_000 / 2.8));
  });

  test('may take more of it where something happens, and most where memory is all but gone', () => {
    expect(next([entry('a', { activity: 'working' })], { costMs: 84 })).toBe(Math.round(8400 / 4.2));
    expect(next([heard('a', 'working')], { costMs: 105 })).toBe(Math.round(10_500 / 2.1));
    expect(next([idle('a')], { costMs: 210, pressure: pressure({ tier: 'critical' }) })).toBe(2000);
    expect(next([idle('a')], { costMs: 100, pressure: pressure({ tier: 'critical' }) })).toBe(1500);
  });

  test('the share grows with what there is to look at, up to a bound', () => {
    expect([0, 200, 400, 800, 5000].map(sharePercent)).toEqual([0.7, 0.7, 1.4, 2.8, 2.8]);
  });
});

describe('a program that has not returned', () => {
  test('does not make rounds frequent once nothing was seen of it for a while', () => {
    expect(next([command([10_000])])).toBe(10_000);
    expect(next([command([9999])])).toBe(1500);
    expect(next([command([10_000, 60_000]), idle('a')])).toBe(10_000);
  });

  test('makes them frequent where one of its panes is not quiet, where no look compared it, and beside one that is not', () => {
    expect(next([command([60_000, 0])])).toBe(1500);
    expect(next([command([])])).toBe(1500);
    expect(next([command([60_000]), command([0])])).toBe(1500);
  });

  const agent = { kind: 'codex', version: null, conversation: null, pid: 7 };
  const because = (...codes: string[]) =>
    codes.map((code) => ({ code, source: 'process' as const, observedAt: NOW, text: '' }));

  test('is silent beside an agent that rests, and not beside one that works, asks or cannot be heard', () => {
    const beside = (...codes: string[]) =>
      command([60_000, 60_000], { agent, reasons: because('command-running', ...codes) });
    expect(isSilent(beside('agent-says-idle', 'plain-shell'))).toBe(true);
    expect(next([beside('agent-says-idle')])).toBe(10_000);
    for (const code of [
      'agent-says-working',
      'agent-says-waiting',
      'background-tasks',
      'agent-state-unknown',
    ])
      expect([code, isSilent(beside('agent-says-idle', code))]).toEqual([code, false]);
    const loud = { agent, reasons: because('command-running', 'agent-says-idle') };
    expect(isSilent(command([60_000, 0], loud))).toBe(false);
  });

  test('is silent work only by itself: an agent at work is not, nor what starts or waits', () => {
    expect(isSilent(command([60_000]))).toBe(true);
    expect(isSilent(command([60_000], { agent, reasons: because('agent-says-working') }))).toBe(false);
    expect(isSilent(command([60_000], { activity: 'waiting' }))).toBe(false);
    expect(isSilent(command([60_000], { activity: 'starting' }))).toBe(false);
  });
});

describe('the time until the next round while nothing moves', () => {
  test('is as long as evidence may be old, where nothing does anything', () => {
    expect(still([idle('a'), command([60_000])])).toBe(30_000);
  });

  test('is longer than usual also where rounds are dear', () => {
    expect(next([idle('a')], { costMs: 10_000 })).toBe(30_000);
    expect(still([idle('a')], { costMs: 10_000 })).toBe(50_000);
    expect(still([idle('a')], { costMs: 10_000, stillMs: 120_000 })).toBe(120_000);
  });

  test('grows with the time over which nothing moved and nobody asked, up to five minutes', () => {
    expect([0, 29_999, 45_000, 300_000, 3_600_000].map((stillMs) => still([idle('a')], { stillMs }))).toEqual(
      [30_000, 30_000, 45_000, 300_000, 300_000],
    );
    expect(still([command([0])], { stillMs: 3_600_000 })).toBe(1500);
    expect(still([idle('a')], { stillMs: 3_600_000, mayBecomeDue: true })).toBe(10_000);
  });

  test('is no longer where something works, changed, or memory runs short', () => {
    expect(still([command([0])])).toBe(1500);
    expect(still([heard('a', 'working')])).toBe(4000);
    expect(still([idle('a')], { sinceChangeMs: 0 })).toBe(1500);
    expect(still([idle('a')], { pressure: pressure({ tier: 'moderate' }) })).toBe(4000);
  });

  test('is no longer where time alone may bring something about that is acted on', () => {
    expect(still([idle('a')], { mayBecomeDue: true })).toBe(10_000);
    expect(still([idle('a')], { graceInMs: 60_000 })).toBe(1500);
  });

  test('is as long where nothing reads what an agent says', () => {
    const unread = (code: string) =>
      entry('b', {
        ...{ activity: 'unknown', lifecycle: 'unknown' },
        reasons: [{ code, source: 'process', observedAt: NOW, text: '' }],
      });
    expect(still([idle('a'), unread('agent-state-unknown')])).toBe(30_000);
    expect(still([idle('a'), unread('sources-disagree')])).toBe(10_000);
  });

  test('is no longer where something could not be seen', () => {
    expect(still([heard('a', 'idle')])).toBe(10_000);
    expect(still([idle('a'), entry('b', { activity: 'idle', lifecycle: 'unknown' })])).toBe(10_000);
    const problems = [{ code: 'server-unavailable', text: 'gives no answer', hint: '' }] as const;
    expect(still([], { roll: roll([], { problems }) })).toBe(10_000);
  });
});
