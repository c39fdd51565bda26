import type { ShellSighting } from '../../core/sight/sighting.ts';
import { readProcText } from './proc-file.ts';

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
