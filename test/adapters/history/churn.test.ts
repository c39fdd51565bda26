import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHistoryWriter } from '../../../src/adapters/history/history-writer.ts';
import { Recorder } from '../../../src/core/history/recorder.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { judged, later, pressure, round } from '../../core/history/rounds.ts';
import { DAY, history, idleAgent, pane, withPieces, word } from '../../support/evidence.ts';
import { readHistory } from './keep-writing.ts';

const MAX_BYTES = 4 * 1024 ** 2;
const SESSIONS = 200;
const EVERY_MS = 120_000;

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'rollcall-churn-')), 'history');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Of every state once: judged anew for each of many thousand rounds, it would be the classifier that is measured. */
const STATES: readonly SessionEntry[] = Array.from({ length: 12 }, (_, index) => {
  const at = later(index * 1000).at;
  const turn = index % 2 === 0 ? 'running' : 'over';
  const evidence: Evidence[] = withPieces(
    idleAgent(),
    word({ turn, background: index % 3, since: at }),
    pane({ isFullScreen: true, lastOutputAt: at }),
    history({ agentSeen: 'claude', quietMs: index * 1000, disturbedMs: index * 1000 }),
  );
  return judged('s', evidence);
});

function session(name: string, state: number): SessionEntry {
  return { ...(STATES[state % STATES.length] as SessionEntry), key: `key-${name}`, name };
}

test('24 hours of churn in 200 sessions stay within the bounds of the disk and of memory', async () => {
  const writer = createHistoryWriter(folder, { maxBytes: MAX_BYTES, keepMs: 14 * DAY });
  // Evidence of one moment is used all day: its age is no matter here.
  const recorder = new Recorder({ freshMs: Number.POSITIVE_INFINITY });
  const sessions = Array.from({ length: SESSIONS }, (_, index) => session(`s${index}`, index));
  let [largest, records] = [0, 0];
  let settledBytes = 0;
  const rounds = DAY / EVERY_MS;
  for (let number = 0; number < rounds; number += 1) {
    const now = later(number * EVERY_MS);
    // Ten change, and one goes for good while another one comes.
    for (let one = 0; one < 10; one += 1) {
      const at = (number * 10 + one) % SESSIONS;
      sessions[at] = session(sessions[at]?.name ?? '', number + one);
    }
    sessions[number % SESSIONS] = session(`s${SESSIONS + number}`, number);
    const parts = { sessions, pressure: pressure(number % 50 < 5 ? 'critical' : 'normal') };
    const told = recorder.round(round(now, parts));
    expect(writer.append(told, now.at)).toBeNull();
    records += told.length;
    expect(await writer.tidy()).toBeNull();
    if (number % 20 === 0) largest = Math.max(largest, sizeOf());
    if (number === rounds / 4) settledBytes = heapBytes();
  }
  const grownBytes = heapBytes() - settledBytes;
  expect(records).toBeGreaterThan(rounds * 10);
  expect(largest).toBeLessThanOrEqual(MAX_BYTES);
  expect(grownBytes).toBeLessThan(8 * 1024 ** 2);
  const left = await readHistory(folder);
  expect(left.damaged).toBe(0);
  expect(left.records.at(-1)?.now.at).toBe(later((rounds - 1) * EVERY_MS).at);
  writer.close();
});

function sizeOf(): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
