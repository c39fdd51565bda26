import { hostname, userInfo } from 'node:os';
import type { ShellSighting } from '../../core/sight/sighting.ts';
import { createTurns } from '../../core/take-turns.ts';
import type { ShellSensor } from '../../ports/sensor.ts';
import { linkAt } from '../files/look.ts';
import { createLinuxEnvironment } from './linux-markers.ts';
import { createLinuxProcessTable } from './linux-process-table.ts';
import { readProcText, statOpenDevice } from './proc-file.ts';
import { type AskTerminal, createAskTerminal } from './terminal-settings.ts';

export interface ShellSensorOptions {
  readonly env: NodeJS.ProcessEnv;
  /** How long one terminal may take to answer. */
  readonly timeoutMs?: number;
  readonly now: () => number;
  readonly platform?: NodeJS.Platform;
  readonly procRoot?: string;
  readonly uid?: number;
  readonly ask?: AskTerminal;
  /** The branch that is checked out around a folder; null where there is none, or none can be told. */
  readonly branchAt?: (folder: string) => Promise<string | null>;
}

/** Each is a small child process; more at a time would hold up everything else. */
const MOST_AT_ONCE = 4;
const MOST_KEPT = 5000;

/**
 * Sees shells at their terminals through /proc and stty. What is told is of one moment: a shell that ran while it was looked
 * at has not been seen. Where there is no /proc nothing tells what a shell waits for, so it is never seen.
 */
export function createShellSensor(options: ShellSensorOptions): ShellSensor {
  const { env, now, platform = process.platform, procRoot = '/proc', uid = process.getuid?.() } = options;
  if (platform === 'darwin') {
    return { sense: async () => failed('macOS does not tell what it waits for'), glance: () => null };
  }
  const ask = options.ask ?? createAskTerminal(env, options);
  const table = createLinuxProcessTable({ procRoot, now });
  const takeTurn = createTurns(MOST_AT_ONCE);
  const kept = new Map<number, { readonly turns: string; readonly settings: ReadonlySet<string> }>();

  const settingsOf = async (pid: number, turns: string): Promise<ReadonlySet<string> | string> => {
    const known = kept.get(pid);
    // It has not run since, so it has not changed its terminal either.
    if (known?.turns === turns) return known.settings;
    const settings = await takeTurn(() => ask(`${procRoot}/${pid}/fd/0`));
    if (typeof settings === 'string') return settings;
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(pid, { turns, settings });
    return settings;
  };

  return {
    glance({ pid, startTicks, program }) {
      const folder = `${procRoot}/${pid}`;
      // In this order what is entered meanwhile counts as entered afterwards.
      const observedAt = now();
      const terminal = terminalAt(folder, 0);
      const turns = turnsOf(folder, startTicks, uid);
      if (turns === null || terminal === null) return null;
      const waitsIn = waitOf(folder, (fd) => deviceOf(folder, fd) === terminal.device);
      const isWaiting = waitsIn === 'select' || waitsIn === 'read';
      return { pid, startTicks, program, observedAt, turns, readAt: terminal.readAt, isWaiting };
    },
    async sense({ pid, startTicks }) {
      const folder = `${procRoot}/${pid}`;
      const turns = turnsOf(folder, startTicks, uid);
      if (turns === null) return failed('it cannot be read');
      const read = table.senseOne(pid);
      if (read.state !== 'read' || read.process.startTicks !== startTicks) return failed('it is gone');
      const { ttyNumber: tty = 0, pgid, tpgid, state } = read.process;
      if (tty === 0 || deviceOf(folder, 0) !== tty) return failed('its input is not its terminal');
      const waitsIn = waitOf(folder, (fd) => deviceOf(folder, fd) === tty);
      if (waitsIn === null) return failed('what it waits for cannot be read');
      const settings = await settingsOf(pid, turns);
      if (typeof settings === 'string') return failed(settings);
      const variables = createLinuxEnvironment(table).read({ pid, startTicks });
      const cwd = linkAt(`${folder}/cwd`);
      const branch = cwd === null ? null : ((await options.branchAt?.(cwd)) ?? null);
      if (turnsOf(folder, startTicks, uid) !== turns) return failed('it is at work');
      return {
        state: 'seen',
        ...{ pid, startTicks, observedAt: now(), isInFront: pgid === tpgid, isAsleep: state === 'S' },
        ...{ waitsIn, settings, cwd, user: userName(), host: hostname() },
        branch,
        home: variables?.HOME ?? null,
        givenPrompt: variables?.PS1 ?? null,
      };
    },
  };
}

function failed(text: string): ShellSighting {
  return { state: 'failed', text };
}

/** How often the kernel gave it a turn: as long as that stays the same it has done nothing. Null where it is not ours. */
function turnsOf(folder: string, startTicks: number, uid: number | undefined): string | null {
  const status = readProcText(`${folder}/status`) ?? '';
  const uids = /^Uid:\t(\d+)\t(\d+)\t/m.exec(status);
  const turns = [...status.matchAll(/^(?:non)?voluntary_ctxt_switches:\t(\d+)$/gm)].map(([, count]) => count);
  const isOurs = uids?.[1] === String(uid) && uids[2] === String(uid);
  return isOurs && turns.length === 2 ? `${startTicks} ${turns.join(' ')}` : null;
}

/** The device behind a descriptor; several mounts of devpts may have the same names. */
function deviceOf(folder: string, descriptor: number): number {
  return terminalAt(folder, descriptor)?.device ?? 0;
}

/** A device and when it was last read: the kernel notes that for terminals, whatever the file system was mounted with. */
function terminalAt(folder: string, descriptor: number) {
  const found = statOpenDevice(folder, descriptor);
  return found?.isCharacterDevice() ? { device: found.rdev, readAt: Math.floor(found.atimeMs / 1000) } : null;
}

function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

type Wait = Extract<ShellSighting, { state: 'seen' }>['waitsIn'];

interface Calls {
  readonly select: readonly number[];
  readonly poll: number | null;
  readonly ppoll: number;
  readonly read: number;
}

/** Numbers of system calls by architecture. */
const CALLS: Readonly<Record<string, Calls>> = {
  x64: { select: [23, 270], poll: 7, ppoll: 271, read: 0 },
  arm64: { select: [72], poll: null, ppoll: 73, read: 63 },
};

/**
 * What a process sleeps in; null where the kernel does not tell. The system call with its arguments tells most, and needs
 * the right to trace it (ptrace_scope); the place in the kernel is nearly as good and is open to its user.
 */
export function waitOf(
  folder: string,
  isTerminal: (fd: number) => boolean,
  arch: string = process.arch,
): Wait | null {
  const calls = CALLS[arch];
  const call = readProcText(`${folder}/syscall`);
  if (calls !== undefined && call) return waitInCall(call, calls, isTerminal);
  const place = readProcText(`${folder}/wchan`) ?? '';
  if (place === '' || place === '0') return null;
  if (/^(?:poll_schedule_timeout|do_select|do_sys_poll|do_poll)\b/.test(place)) return 'select';
  return /^(?:wait_woken|n_tty_read)\b/.test(place) ? 'read' : 'else';
}

// A wait with a time limit is somebody's `read -t`, not a line editor's.
function waitInCall(text: string, calls: Calls, isTerminal: (fd: number) => boolean): Wait {
  const [number, ...args] = text.trim().split(' ').map(Number);
  if (number === undefined || Number.isNaN(number)) return 'else';
  if (calls.select.includes(number)) return args[0] === 1 && args[4] === 0 ? 'select' : 'else';
  if (number === calls.poll) return args[2] === 0xffff_ffff ? 'select' : 'else';
  if (number === calls.ppoll) return args[2] === 0 ? 'select' : 'else';
  return number === calls.read && isTerminal(args[0] ?? -1) ? 'read' : 'else';
}
