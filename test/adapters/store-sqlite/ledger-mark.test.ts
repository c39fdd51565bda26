import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ledgerMark } from '../../../src/adapters/store-sqlite/ledger-mark.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'mark-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const mark = () => ledgerMark(folder).text;
const age = (name: string, seconds: number) => {
  const time = Date.now() / 1000 - seconds;
  utimesSync(path(name), time, time);
};

describe('how a ledger looks from outside', () => {
  it('is nothing where there is none, whatever else lies there', () => {
    for (const name of ['facts.json', 'recollection.json', 'ledger']) writeFileSync(path(name), 'x');
    expect(ledgerMark(folder)).toEqual({ text: '', isSettled: true });
    expect(() => ledgerMark(path('none'))).toThrow('ENOENT');
  });

  it('changes with every file that comes, grows, is written to or goes', () => {
    const seen = [mark()];
    for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.head']) {
      writeFileSync(path(name), 'one');
      seen.push(mark());
      appendFileSync(path(name), 'two');
      seen.push(mark());
      // Overwritten in place, as SQLite does with its journal: only the time tells.
      age(name, 60);
      seen.push(mark());
    }
    rmSync(path('ledger.db-wal'));
    seen.push(mark());
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('does not change by what readers do to the shared index', () => {
    writeFileSync(path('ledger.db'), 'one');
    const before = mark();
    writeFileSync(path('ledger.db-shm'), 'index');
    expect(mark()).toBe(before);
  });

  it('is settled once no file is younger than the steps in which time is counted, nor from the future', () => {
    const settled = () => ledgerMark(folder).isSettled;
    // What is young must not become old because this process has to wait for a core.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    onTestFinished(() => clock.mockRestore());
    writeFileSync(path('ledger.db'), 'one');
    writeFileSync(path('ledger.head'), 'one');
    for (const name of ['ledger.db', 'ledger.head']) age(name, 5);
    expect(settled()).toBe(true);
    age('ledger.head', 0);
    expect(settled()).toBe(false);
    age('ledger.head', -3600);
    expect(settled()).toBe(false);
  });
});
