import { describe, expect, test } from 'vitest';
import { eventsInLedger } from '../../../src/core/history/ledger-events.ts';
import { ReapTally } from '../../../src/core/history/reap-report.ts';
import type { HistoryRecord } from '../../../src/core/history/record.ts';
import { Recorder } from '../../../src/core/history/recorder.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { ReapEvent } from '../../../src/core/reaper/standing.ts';
import { MINUTE, NOW } from '../../support/evidence.ts';
import { later, pressure, reapEvent, round } from './rounds.ts';

const beat = (ms: number): HistoryRecord => ({ kind: 'beat', now: later(ms) });
const reap = (ms: number, over: Partial<ReapEvent>): HistoryRecord => ({
  ...{ kind: 'reap', now: later(ms), event: reapEvent({ at: later(ms).at, ...over }) },
});

function reported(records: readonly HistoryRecord[], ledger: readonly ReapEvent[] = [], since = 0) {
  const tally = new ReapTally(since);
  for (const record of records) tally.take(record);
  return tally.finish(ledger);
}

/** A note as the reaper leaves it in the ledger. */
function noted(action: string, body: LedgerEntry['body'], over: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    ...{
      sequence: 1,
      at: NOW.at + 500,
      host: 'm',
      bootId: 'b',
      actor: { kind: 'daemon', pid: 1, user: 'ada' },
    },
    ...{ kind: 'note', action, session: { key: 'key-build', name: 'build' }, cause: null, body },
    ...{ previous: '', hash: 'h', ...over },
  };
}
const BODY = { mode: 'shadow', tier: 'critical', relief: 'long-idle', code: 'long-idle', text: 'idle' };
const WHOLE = { ...BODY, memoryBytes: 100, receipt: null };

describe('the report on the reaper', () => {
  test('counts what it did, what it spared and what was vetoed by which guard', () => {
    const other = { session: { key: 'key-web', name: 'web' } };
    const report = reported([
      reap(0, { kind: 'vetoed', code: 'attached', text: '1 attached' }),
      reap(0, { kind: 'vetoed', code: 'attached', text: '2 attached', ...other }),
      reap(0, { kind: 'vetoed', code: 'idle', session: null }),
      reap(0, { kind: 'vetoed', code: 'recent' }),
      reap(0, { kind: 'vetoed', code: 'draft' }),
      reap(1, { kind: 'chosen' }),
      reap(2, { kind: 'spared', code: 'changed' }),
      reap(3, { kind: 'would-close', memoryBytes: 100 }),
      reap(4, { kind: 'would-close', memoryBytes: 120 }),
      reap(5, { kind: 'closed', memoryBytes: 70, ...other }),
      reap(6, { kind: 'closed', memoryBytes: null, ...other }),
      reap(7, { kind: 'breaker-tripped', code: 'unrecorded' }),
    ]);
    expect(report.vetoes).toEqual([
      { code: 'attached', times: 2, sessions: 2, text: '2 attached' },
      { code: 'draft', times: 1, sessions: 1, text: 'its agent is idle' },
      { code: 'idle', times: 1, sessions: 1, text: 'its agent is idle' },
      { code: 'recent', times: 1, sessions: 1, text: 'its agent is idle' },
    ]);
    expect(report.spared).toMatchObject([{ code: 'changed', times: 1 }]);
    expect(report.counts).toMatchObject({ chosen: 1, vetoed: 5, 'would-close': 2, closed: 2, failed: 0 });
    expect(report).toMatchObject({ freedBytes: 70, couldFreeBytes: 120 });
    expect(report.events.map(({ kind }) => kind)).not.toContain('vetoed');
  });

  test('tells how long each tier and mode lasted, and when nobody looked', () => {
    const recorder = new Recorder({ freshMs: 15_000 });
    const rounds = [
      ...recorder.round(round(later(0), { pressure: pressure('moderate') })),
      ...recorder.round(round(later(MINUTE), { pressure: pressure('critical'), mode: 'enforce' })),
      beat(3 * MINUTE),
      beat(60 * MINUTE),
    ];
    const report = reported(rounds);
    expect(report.tiers).toEqual([
      { tier: 'normal', ms: 0 },
      { tier: 'moderate', ms: MINUTE },
      { tier: 'critical', ms: 2 * MINUTE },
    ]);
    expect(report.modes).toMatchObject([
      { ms: 0 },
      { mode: 'shadow', ms: MINUTE },
      { mode: 'enforce', ms: 2 * MINUTE },
    ]);
    expect(report).toMatchObject({ from: NOW.at, to: later(60 * MINUTE).at, watchedMs: 3 * MINUTE });
    expect(report.gaps).toEqual([{ from: later(3 * MINUTE), to: later(60 * MINUTE) }]);
  });

  test('begins at its time with what was so then', () => {
    const records = [
      ...new Recorder({ freshMs: 15_000 }).round(round(later(0), { pressure: pressure('critical') })),
      reap(1000, {}),
      beat(2 * MINUTE),
      beat(3 * MINUTE),
    ];
    const report = reported(records, [], later(MINUTE).at);
    expect(report).toMatchObject({ from: later(2 * MINUTE).at, watchedMs: MINUTE, events: [] });
    expect(report.tiers[2]).toEqual({ tier: 'critical', ms: MINUTE });
  });

  test('of nothing is empty', () => {
    expect(reported([])).toMatchObject({ from: null, to: null, watchedMs: 0, gaps: [], events: [] });
  });
});

describe('what only the ledger knows', () => {
  test('S36: is told where the history was lost', () => {
    const events = eventsInLedger([
      noted('reap-would-close', WHOLE),
      noted('reap-closed', { ...WHOLE, receipt: 'r-1' }, { at: NOW.at + 1000 }),
      noted('reap-mode', { from: 'shadow', to: 'enforce' }, { session: null }),
    ]);
    expect(reported([], events)).toMatchObject({
      counts: { 'would-close': 1, closed: 1, 'mode-changed': 1 },
      freedBytes: 100,
    });
    expect(reported([], events, NOW.at + 700).events).toHaveLength(1);
  });

  test('is not counted twice', () => {
    const events = eventsInLedger([noted('reap-would-close', WHOLE)]);
    expect(reported([reap(0, {})], events).counts['would-close']).toBe(1);
    const mode = eventsInLedger([noted('reap-mode', { from: 'off', to: 'shadow' })]);
    expect(reported([reap(0, { kind: 'mode-changed', session: null })], mode).counts['mode-changed']).toBe(1);
    const later10 = eventsInLedger([noted('reap-would-close', WHOLE, { at: NOW.at + 10 * MINUTE })]);
    expect(reported([reap(0, {}), reap(1, {})], later10).counts['would-close']).toBe(3);
  });

  test('is passed over where it is about something else or not understood', () => {
    const others = [
      noted('close', WHOLE, { kind: 'receipt' }),
      noted('repair', WHOLE),
      noted('reap-closed', { ...WHOLE, mode: 'berserk' }),
      noted('reap-mode', { from: 'shadow', to: 'berserk' }),
      noted('reap-closed', WHOLE, { session: { key: null, name: 'a' } }),
    ];
    expect(eventsInLedger(others)).toMatchObject([{ kind: 'closed', session: null }]);
  });
});
