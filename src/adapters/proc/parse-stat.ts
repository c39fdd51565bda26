import { type Process, wholeState } from '../../core/sight/process.ts';
import { visible } from '../../core/text/visible.ts';
import type { KernelUnits } from './kernel-units.ts';

/**
 * Parses the first `length` bytes of /proc/<pid>/stat; null when they are not such a line. The name is whatever the
 * program chose, spaces and parentheses included, so the fields begin after the last `)`. `living` tells the state of
 * another thread, where the first one has ended before the process.
 */
export function parseStat(
  line: Buffer,
  length: number,
  pid: number,
  units: KernelUnits,
  bootAt: number,
  living?: () => string | null,
): Process | null {
  if (length === 0) return null;
  const nameStart = line.indexOf(OPEN);
  const nameEnd = line.lastIndexOf(CLOSE, length - 1);
  if (nameStart < 0 || nameEnd < nameStart || !parseFields(line, nameEnd + 4, length)) return null;
  const startTicks = FIELDS[STARTTIME] as number;
  return {
    pid,
    ppid: FIELDS[PPID] as number,
    pgid: FIELDS[PGRP] as number,
    sid: FIELDS[SESSION] as number,
    ttyNumber: FIELDS[TTY] as number,
    tpgid: FIELDS[TPGID] as number,
    state: wholeState(String.fromCharCode(line[nameEnd + 2] as number), FIELDS[THREADS] as number, living),
    startTicks,
    startedAt: bootAt + Math.round((startTicks * 1000) / units.ticksPerSecond),
    comm: parseName(line, nameStart + 1, nameEnd),
    cpuMs: (((FIELDS[UTIME] as number) + (FIELDS[STIME] as number)) * 1000) / units.ticksPerSecond,
    reapedCpuMs: (((FIELDS[CUTIME] as number) + (FIELDS[CSTIME] as number)) * 1000) / units.ticksPerSecond,
    rssBytes: (FIELDS[RSS] as number) * units.pageBytes,
    // Both are placed at random by exec; their sum is exact below 2^53, which addresses are.
    imageMark: (FIELDS[STARTCODE] as number) + (FIELDS[STARTSTACK] as number),
  };
}

const OPEN = 0x28;
const CLOSE = 0x29;
const SPACE = 0x20;
const MINUS = 0x2d;
const ZERO = 0x30;

// Field numbers as in proc(5), where the pid is 1, the name 2 and the state 3.
const PPID = 4;
const PGRP = 5;
const SESSION = 6;
const TTY = 7;
const TPGID = 8;
const UTIME = 14;
const STIME = 15;
const CUTIME = 16;
const CSTIME = 17;
const THREADS = 20;
const STARTTIME = 22;
const RSS = 24;
const STARTCODE = 26;
const STARTSTACK = 28;

// Those of 2^64. What has more is none of the kernel's.
const MOST_DIGITS = 20;

// One set of slots for all lines: this runs for every process of the machine on every look.
const FIELDS = new Float64Array(STARTSTACK + 1);

function parseFields(line: Buffer, start: number, length: number): boolean {
  let at = start;
  for (let field = PPID; field <= STARTSTACK; field++) {
    const isNegative = line[at] === MINUS;
    if (isNegative) at++;
    let value = 0;
    const first = at;
    for (; at < length; at++) {
      const digit = (line[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === first || at - first > MOST_DIGITS || at >= length || line[at] !== SPACE) return false;
    at++;
    FIELDS[field] = isNegative ? -value : value;
  }
  return true;
}

function parseName(line: Buffer, start: number, end: number): string {
  for (let at = start; at < end; at++) {
    const byte = line[at] as number;
    if (byte < 0x20 || byte > 0x7e) return visible(line.toString('utf8', start, end));
  }
  return line.toString('latin1', start, end);
}
