import { describe, expect, test } from 'vitest';
import { type HistoryRecord, historyLine, readHistoryLine } from '../../../src/core/history/record.ts';
import { Recorder } from '../../../src/core/history/recorder.ts';
import { gapBetween } from '../../../src/core/history/witness.ts';
import { idleAgent, NOW } from '../../support/evidence.ts';
import { judged, later, reapEvent, round } from './rounds.ts';

const records: HistoryRecord[] = [
  ...new Recorder({ freshMs: 15_000 }).started(NOW),
  ...new Recorder({ freshMs: 15_000 }).round(
    round(NOW, { sessions: [judged('build', idleAgent())], events: [reapEvent()] }),
  ),
  { kind: 'gone', now: NOW, key: 'k', name: 'a', how: 'lost' },
  { kind: 'beat', now: NOW },
  { kind: 'stop', now: NOW },
];

describe('a line of the history', () => {
  test.each(records.map((record) => [record.kind, record] as const))(
    '%s comes back as it went',
    (_kind, record) => {
      const line = historyLine(record);
      expect(line).not.toContain('\n');
      expect(readHistoryLine(line)).toEqual({ state: 'read', record });
    },
  );

  test('S36: cut anywhere, by a kill or a full disk, is damaged and no more than that', () => {
    for (const record of records) {
      const line = historyLine(record);
      for (let length = 1; length < line.length; length += 7) {
        expect(readHistoryLine(line.slice(0, length))).toEqual({ state: 'damaged' });
      }
    }
  });

  test('of a newer version is passed over', () => {
    expect(readHistoryLine('{"kind":"omen","now":[1,2,3]}')).toEqual({ state: 'unknown' });
    const [start] = records as [HistoryRecord];
    expect(readHistoryLine(JSON.stringify({ ...start, now: [1, 2, 3], more: true }))).toMatchObject({
      state: 'read',
    });
  });

  test('of a newer version with evidence that nobody knows is a session of which nothing is known', () => {
    const seen = records.find(({ kind }) => kind === 'seen') as HistoryRecord;
    for (const pieces of [{ 'omen %1': { kind: 'omen' } }, null, 'none']) {
      const line = JSON.stringify({ ...seen, pieces, now: [1, 2, 3] });
      expect(readHistoryLine(line)).toMatchObject({ state: 'read', record: { pieces: null } });
    }
  });

  test.each(['null', '7', '[]', '{}', '{"kind":7}', '{"kind":"beat"}', '{"kind":"beat","now":[1,2]}'])(
    'that holds something else is damaged: %s',
    (line) => {
      expect(readHistoryLine(line)).toEqual({ state: 'damaged' });
    },
  );
});

describe('time in which nobody looked', () => {
  const beat = (ms: number, kind: 'start' | 'stop' | 'beat' = 'beat') => ({ kind, now: later(ms) }) as const;

  test('S50: lies before a start, after a stop and in a long silence, on the awake clock', () => {
    expect(gapBetween(beat(0), beat(60_000))).toBeNull();
    expect(gapBetween(beat(0), beat(6 * 60_000))).toEqual({ from: later(0), to: later(6 * 60_000) });
    expect(gapBetween(beat(0), beat(1000, 'start'))).not.toBeNull();
    expect(gapBetween(beat(0, 'stop'), beat(1000))).not.toBeNull();
    expect(gapBetween(beat(1000), beat(0))).not.toBeNull();
  });

  test('S26: is not the time in which the machine slept', () => {
    const woken = { at: NOW.at + 8 * 3_600_000, awakeMs: NOW.awakeMs + 1000, suspendedMs: 8 * 3_600_000 };
    expect(gapBetween(beat(0), { kind: 'beat', now: woken })).toBeNull();
  });
});
