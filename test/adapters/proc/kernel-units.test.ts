import { execFileSync } from 'node:child_process';
import { endianness } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readKernelUnits } from '../../../src/adapters/proc/kernel-units.ts';
import { FakeProc } from './fake-proc.ts';

describe('the units of the kernel', () => {
  let proc: FakeProc;
  beforeEach(() => {
    proc = new FakeProc();
  });
  afterEach(() => proc.remove());

  test.runIf(process.platform === 'linux')('are those that getconf tells', () => {
    const getconf = (name: string) => Number(execFileSync('getconf', [name], { encoding: 'utf8' }));
    expect(readKernelUnits('/proc')).toEqual({
      ticksPerSecond: getconf('CLK_TCK'),
      pageBytes: getconf('PAGESIZE'),
    });
  });

  test.each([
    ['arm64', 8],
    ['arm', 4],
  ])('are read from the vector of %s', (arch, word) => {
    proc.write(
      'self/auxv',
      vector(word, [
        [33, 2 ** 31],
        [6, 65_536],
        [17, 250],
        [0, 0],
      ]),
    );
    expect(readKernelUnits(proc.root, arch)).toEqual({ ticksPerSecond: 250, pageBytes: 65_536 });
  });

  test('are the usual ones where the vector cannot be read', () => {
    expect(readKernelUnits(proc.root)).toEqual({ ticksPerSecond: 100, pageBytes: 4096 });
  });
});

function vector(word: number, pairs: readonly (readonly [number, number])[]): Buffer {
  const bytes = Buffer.alloc(pairs.length * 2 * word);
  pairs.flat().forEach((value, index) => {
    if (endianness() === 'LE') bytes.writeUInt32LE(value, index * word);
    else bytes.writeUInt32BE(value, index * word + word - 4);
  });
  return bytes;
}
