import { closeSync, openSync, readSync } from 'node:fs';
import { constants } from 'node:os';
import type { Exit } from '../../core/guard/guarded.ts';
import { wholeState } from '../../core/sight/process.ts';
import type { Pulse, PulseReading } from '../../ports/guard.ts';

/**
 * Follows a process through its /proc/<pid>/stat, opened once: the open file stays tied to that very process, so
 * neither a pid that comes back nor a race between two readings can mislead, and a reading is one system call.
 */
export function openPulse(
  process: { readonly pid: number; readonly startTicks: number | null },
  options: { readonly procRoot?: string; readonly platform?: NodeJS.Platform } = {},
): Pulse {
  const { procRoot = '/proc', platform = globalThis.process.platform } = options;
  if (platform !== 'linux') return signalPulse(process.pid);
  let file: number;
  try {
    file = openSync(`${procRoot}/${process.pid}/stat`, 'r');
  } catch (error) {
    // Without a start mark nobody has ever seen this process here: it may as well be hidden.
    return fixed(isGone(error) && process.startTicks !== null ? DEAD : UNKNOWN);
  }
  const first = readStat(file);
  if (first.state === 'dead' || first.state === 'unknown') {
    closeSync(file);
    return fixed(first.state === 'dead' ? DEAD : UNKNOWN);
  }
  if (process.startTicks !== null && process.startTicks !== first.startTicks) {
    closeSync(file);
    return fixed(DEAD);
  }
  let isOpen = true;
  let mayTellExit = first.mayTellExit ?? false;
  return {
    read() {
      if (!isOpen) return UNKNOWN;
      const stat = readStat(file);
      if (stat.state === 'dead') return DEAD;
      if (stat.state === 'unknown') return UNKNOWN;
      if (isEnded(stat.letter)) return { state: 'dead', exit: exitOf(stat.exitCode, mayTellExit) };
      mayTellExit = stat.mayTellExit ?? mayTellExit;
      const { parentPid, terminal } = stat;
      return { state: 'alive', isStopped: stat.letter === 'T', parentPid, terminal };
    },
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

const DEAD: PulseReading = { state: 'dead', exit: null };
const UNKNOWN: PulseReading = { state: 'unknown' };

function fixed(reading: PulseReading): Pulse {
  return { read: () => reading, close: () => {} };
}

// Without /proc a signal that is never sent tells whether the pid is taken; nothing more is known then.
function signalPulse(pid: number): Pulse {
  return {
    read() {
      try {
        globalThis.process.kill(pid, 0);
        return { state: 'alive', isStopped: false, parentPid: 0, terminal: 0 };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ESRCH') return DEAD;
        if (code === 'EPERM') return { state: 'alive', isStopped: false, parentPid: 0, terminal: 0 };
        return UNKNOWN;
      }
    },
    close() {},
  };
}

type Stat =
  | {
      readonly state: 'read';
      readonly letter: string;
      readonly parentPid: number;
      readonly terminal: number;
      readonly startTicks: number;
      readonly exitCode: number;
      /** Null of a process on its way out, which has given back its memory: then the kernel does not tell that either. */
      readonly mayTellExit: boolean | null;
    }
  | { readonly state: 'dead' }
  | { readonly state: 'unknown' };

const LINE = Buffer.allocUnsafeSlow(4096);

// Places behind the name, where the state (field 3 of proc(5)) comes first.
const PARENT = 1;
const TERMINAL = 4;
const THREADS = 17;
const START_TIME = 19;
const START_CODE = 23;
const EXIT_CODE = 49;

function readStat(file: number): Stat {
  let length: number;
  try {
    length = readSync(file, LINE, 0, LINE.length, 0);
  } catch (error) {
    return isGone(error) ? { state: 'dead' } : { state: 'unknown' };
  }
  const nameEnd = LINE.lastIndexOf(')', length - 1);
  const fields = LINE.toString('latin1', nameEnd + 2, length).split(' ');
  const startTicks = Number(fields[START_TIME]);
  const startCode = Number(fields[START_CODE]);
  if (length === 0 || nameEnd < 0 || !(startTicks >= 0)) return { state: 'unknown' };
  return {
    state: 'read',
    letter: wholeState(fields[0] as string, Number(fields[THREADS])),
    parentPid: Number(fields[PARENT]),
    terminal: Number(fields[TERMINAL]),
    startTicks,
    exitCode: Number(fields[EXIT_CODE] ?? Number.NaN),
    // Without the right to know, the kernel writes 1 here, and 0 for every exit code.
    mayTellExit: startCode === 0 ? null : startCode > 1,
  };
}

function isEnded(letter: string): boolean {
  return letter === 'Z' || letter === 'X' || letter === 'x';
}

/** The exit of a zombie: all there is where tmux missed the death of its child (up to 3.5). */
function exitOf(exitCode: number, mayTellExit: boolean): Exit | null {
  if (Number.isNaN(exitCode) || (exitCode === 0 && !mayTellExit)) return null;
  const signal = exitCode & 0x7f;
  if (signal === 0) return { status: (exitCode >> 8) & 0xff, signal: null };
  const named = Object.entries(constants.signals).find(([, number]) => number === signal);
  return { status: null, signal: named?.[0] ?? `SIG${signal}` };
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ESRCH';
}
