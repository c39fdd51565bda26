import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { reapReportDocumentSchema } from '../../../src/contract/history-schemas.ts';
import type { HistoryRecord } from '../../../src/core/history/record.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { Past } from '../../core/backtest/past.ts';
import { reapEvent } from '../../core/history/rounds.ts';
import { HOUR, idleAgent, MINUTE, NOW } from '../../support/evidence.ts';
import { run } from '../fake-outside.ts';
import { historyOf } from './history-of.ts';

function ledgerOf(entries: readonly LedgerEntry[]) {
  const reading = { isEmpty: false, entries, head: { sequence: 0, hash: '' }, damage: null };
  return async () => ({ read: () => reading, close: () => {} }) as unknown as Ledger;
}

const at = (ms: number) => NOW.at + ms;
const note: LedgerEntry = {
  ...{ sequence: 1, at: at(0), host: 'm', bootId: 'b', actor: { kind: 'daemon', pid: 1, user: 'ada' } },
  ...{ kind: 'note', action: 'reap-closed', session: { key: 'key-old', name: 'old' }, cause: null },
  body: {
    ...{ mode: 'enforce', tier: 'critical', relief: 'long-idle', code: 'long-idle' },
    ...{ text: 'idle', memoryBytes: 2 ** 30, receipt: 'r-7' },
  },
  ...{ previous: '', hash: 'h' },
};

function past(): Past {
  const one = new Past().shows('build', idleAgent()).pressed('critical');
  const events = [
    reapEvent({ kind: 'vetoed', code: 'attached', text: '1 attached' }),
    reapEvent({ kind: 'spared', code: 'changed', text: 'something happened' }),
    reapEvent({ kind: 'would-close', memoryBytes: 300 * 1024 ** 2 }),
    reapEvent({ kind: 'skipped', code: 'draft' }),
    reapEvent({ kind: 'failed', code: 'timed-out' }),
    reapEvent({ kind: 'breaker-tripped', code: 'timed-out', text: 'a close timed out' }),
  ];
  return one
    .passes(10 * MINUTE, events)
    .killedFor(2 * HOUR)
    .passes(MINUTE);
}

const RECORDS = past().records;

const parts = (records: readonly HistoryRecord[], entries: readonly LedgerEntry[] = []) => ({
  ...{ history: historyOf(records), ledger: ledgerOf(entries), now: () => at(3 * HOUR) },
});

describe('rollcall reap report', () => {
  test('says what it did, what kept others, how long pressure lasted, and when nobody looked', async () => {
    const { stdout, exitCode } = await run(['reap', 'report'], parts(RECORDS, [note]));
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'The reaper closed 1 session, 1.0 GiB given back; would have closed 1 session, 300 MiB',
    );
    expect(stdout).toContain('1 skipped; 1 failed; 1 spared during their grace. Its breaker tripped 1 time');
    expect(stdout).toMatch(/memory pressure: critical 1\dm/);
    expect(stdout).toContain('mode: shadow 1');
    expect(stdout).toMatch(/closed old, 1\.0 GiB: idle \(receipt r-7\)/);
    expect(stdout).toContain('attached: 1 time, 1 session; last: 1 attached');
    expect(stdout).toContain('changed: 1 time, 1 session; last: something happened');
    expect(stdout).toContain('nobody looked 1 time, 2h together; nothing is known of that time');
  });

  test('prints a document that holds to its schema', async () => {
    const { stdout } = await run(['reap', 'report', '--json'], parts(RECORDS, [note]));
    const report = v.parse(reapReportDocumentSchema, JSON.parse(stdout));
    expect(report).toMatchObject({ freedBytes: 2 ** 30, counts: { closed: 1, vetoed: 1 }, gaps: [{}] });
    expect(report.since).toBe(at(3 * HOUR) - 7 * 24 * HOUR);
  });

  test('S36: tells what the ledger knows where the history is lost', async () => {
    const { stdout } = await run(['reap', 'report'], parts([], [note]));
    expect(stdout).toContain('closed 1 session');
    expect(stdout).toContain('the history is lost: this is what the ledger tells');
  });

  test('S36: tells what the history knows where the ledger cannot be read', async () => {
    const ledger = () => Promise.reject(new LedgerError('unavailable', 'the disk is gone', 'find it'));
    const { stdout, exitCode } = await run(['reap', 'report'], { ...parts(RECORDS), ledger });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('the ledger could not be read: the disk is gone');
  });

  test('says plainly that there is nothing yet, and what to do', async () => {
    const { stdout, exitCode } = await run(['reap', 'report'], parts([]));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Nothing was recorded in that time\..*rollcall up/s);
    const calm = await run(['reap', 'report'], parts(new Past().passes(MINUTE).records));
    expect(calm.stdout).toContain('The reaper closed nothing, and would have closed nothing.');
  });

  test('says what of the history was of no use', async () => {
    const history = historyOf(RECORDS, { damaged: 1, unknown: 2 });
    const { stdout } = await run(['reap', 'report'], { ...parts([]), history });
    expect(stdout).toContain('1 line of the history was cut or garbled, and passed over');
    expect(stdout).toContain('2 lines of a newer rollcall were passed over');
  });

  test('lists the last events, and says how many came before', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      reapEvent({ at: at(index), text: `number ${index}` }),
    );
    const { stdout } = await run(['reap', 'report'], parts(new Past().passes(MINUTE, many).records));
    expect(stdout).toContain('10 more before these; --json has all');
    expect(stdout).toContain('number 39');
    expect(stdout).not.toContain('number 9\n');
  });

  test('S54: no raw control character comes out', async () => {
    const hostile = [
      reapEvent({ text: '\u001b]0;x\u0007', session: { key: 'k', name: '\u202ea\u001b[2J' } }),
    ];
    const records = new Past().passes(MINUTE, hostile).records;
    for (const argv of [
      ['reap', 'report'],
      ['reap', 'report', '--json'],
    ]) {
      expect((await run(argv, parts(records))).stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });

  test('refuses a time that is none, and says why the history could not be read', async () => {
    expect((await run(['reap', 'report', '--since=soon'], parts([]))).exitCode).toBe(2);
    const history = () => Promise.reject(new Error('the state folder is a link'));
    const failed = await run(['reap', 'report'], { ...parts([]), history });
    expect([failed.exitCode, failed.stderr]).toEqual([
      1,
      expect.stringContaining('the state folder is a link'),
    ]);
  });
});
