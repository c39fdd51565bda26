import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createHostSensor } from '../../../src/adapters/host/host-sensor.ts';
import { parseVmStat } from '../../../src/adapters/host/macos-memory.ts';

const TEXT = readFileSync(new URL('fixtures/vm-stat-apple-silicon.txt', import.meta.url), 'utf8');
const TOTAL_BYTES = 16 * 1024 ** 3;

describe('memory of a Mac', () => {
  test('S38: counts pages that are given back without asking, not only the free ones', () => {
    expect(parseVmStat(TEXT, TOTAL_BYTES)).toEqual({
      totalBytes: TOTAL_BYTES,
      availableBytes: (10_000 + 300_000 + 5_000 + 20_000) * 16_384,
      source: 'vm_stat',
    });
  });

  test('S38: of an older system has no purgeable pages', () => {
    const older = TEXT.replace(/^Pages purgeable.*\n/m, '').replace('16384', '4096');
    expect(parseVmStat(older, TOTAL_BYTES)?.availableBytes).toBe(330_000 * 4096);
  });

  test('is never more than there is', () => {
    expect(parseVmStat(TEXT, 1_000_000)?.availableBytes).toBe(1_000_000);
  });

  test.each([
    ['', TOTAL_BYTES],
    [TEXT, 0],
    [TEXT, Number.NaN],
    [TEXT.replace(/^Pages free.*\n/m, ''), TOTAL_BYTES],
    [TEXT.replace('page size', 'size'), TOTAL_BYTES],
  ])('is unknown when the output is not understood (%#)', (text, total) => {
    expect(parseVmStat(text, total)).toBeNull();
  });

  test('is asked of vm_stat and sysctl, and unknown when they do not answer', () => {
    const run = (program: string) => (program === '/usr/bin/vm_stat' ? TEXT : `${TOTAL_BYTES}\n`);
    expect(createHostSensor({ platform: 'darwin', run }).memory()).toMatchObject({ totalBytes: TOTAL_BYTES });
    expect(createHostSensor({ platform: 'darwin', run: () => null }).memory()).toBeNull();
  });
});
