import { describe, expect, test } from 'vitest';
import { parseStat } from '../../../src/adapters/proc/parse-stat.ts';
import { type FakeStat, statLine } from './fake-proc.ts';

const UNITS = { ticksPerSecond: 100, pageBytes: 4096 };

function parse(stat: FakeStat) {
  const line = statLine(7, stat);
  return parseStat(line, line.length, 7, UNITS, 1_000_000);
}

describe('a stat line', () => {
  test('gives every field in the units of the core', () => {
    const stat = {
      comm: 'node',
      state: 'R',
      ppid: 2,
      pgid: 3,
      sid: 4,
      ttyNumber: 34_817,
      tpgid: 5,
      utime: 150,
      stime: 25,
    };
    const times = { cutime: 30, cstime: 4, startTicks: 1234 };
    expect(parse({ ...stat, ...times, rssPages: 10 })).toEqual({
      ...{ pid: 7, ppid: 2, pgid: 3, sid: 4, ttyNumber: 34_817, tpgid: 5, state: 'R', comm: 'node' },
      ...{
        startTicks: 1234,
        startedAt: 1_012_340,
        cpuMs: 1750,
        reapedCpuMs: 340,
        rssBytes: 40_960,
        imageMark: 1,
      },
    });
  });

  test('of a process without terminal has the foreground group -1', () => {
    expect(parse({ tpgid: -1 })?.tpgid).toBe(-1);
  });

  test('counts in the units it is given', () => {
    const line = statLine(7, { utime: 250, startTicks: 500, rssPages: 2 });
    const process = parseStat(line, line.length, 7, { ticksPerSecond: 250, pageBytes: 65_536 }, 0);
    expect(process).toMatchObject({ cpuMs: 1000, startedAt: 2000, rssBytes: 131_072 });
  });

  test.each(['a) S 1 (b', ') R 1 1 1 1', '((((', '))))', 'tmux: server', '', ' ', 'x) Z 0 0 0 0 -1 (y'])(
    'S8: the name %j is taken as it is and moves no field',
    (comm) => {
      expect(parse({ comm, ppid: 42, startTicks: 99 })).toMatchObject({
        comm,
        ppid: 42,
        startTicks: 99,
        state: 'S',
      });
    },
  );

  test('S54: control characters in a name become visible', () => {
    expect(parse({ comm: 'a\u001b[2Jb\nc' })?.comm).toBe('a\\e[2Jb\\nc');
  });

  test('S57: a name of invalid UTF-8 is still a name', () => {
    expect(parse({ comm: Buffer.from([0x61, 0xff, 0xfe, 0x62]) })?.comm).toBe('a\ufffd\ufffdb');
    expect(parse({ comm: 'größe' })?.comm).toBe('größe');
  });

  test('is not sought beyond its own length, where an earlier line may still stand', () => {
    const buffer = Buffer.alloc(2048);
    statLine(7, { comm: 'long name here)', startTicks: 123_456_789 }).copy(buffer);
    const line = statLine(7, { comm: 'x', startTicks: 5 });
    line.copy(buffer);
    expect(parseStat(buffer, line.length, 7, UNITS, 0)).toMatchObject({ comm: 'x', startTicks: 5 });
  });

  test.each(['', '7', '7 (x', '7 (x)', '7 (x) S', '7 (x) S 1 2 3', '7 (x) S one 2 3 4 5 6', 'nonsense'])(
    'that is cut off or garbled (%j) is no process',
    (text) => {
      const line = Buffer.from(text);
      expect(parseStat(line, line.length, 7, UNITS, 0)).toBeNull();
    },
  );

  test('that ends in the middle of the memory field is no process', () => {
    const line = statLine(7);
    const end = line.indexOf('8650752 250') + '8650752 25'.length;
    expect(parseStat(line, end, 7, UNITS, 0)).toBeNull();
  });
});
