import type { Process } from '../../core/sight/process.ts';
import type { ProcessActuator } from '../../ports/actuator.ts';
import { linkAt } from '../files/look.ts';
import { isRunning } from '../programs/end-group.ts';
import { createLinuxProcessTable } from './linux-process-table.ts';
import { createMacosProcessSensor } from './macos-process-sensor.ts';

/** What has a process number at this moment. */
export type SenseMark = (pid: number) =>
  | {
      readonly state: 'read';
      readonly startTicks: number;
      readonly hasEnded: boolean;
      readonly ppid?: number;
    }
  | { readonly state: 'gone' }
  | { readonly state: 'refused'; readonly code: string };

export interface ProcessActuatorOptions {
  readonly platform?: NodeJS.Platform;
  readonly procRoot?: string;
  readonly sense?: SenseMark;
}

/**
 * Makes the actuator. Between the look at the start mark and the signal lie some microseconds in which no number comes
 * round again; there is no closer way without a descriptor of the process, which Node has not.
 */
export function createProcessActuator(options: ProcessActuatorOptions = {}): ProcessActuator {
  const { platform = process.platform, procRoot = '/proc' } = options;
  const sense = options.sense ?? (platform === 'darwin' ? senseByPs() : senseByProc(procRoot));
  const reach: ProcessActuator['reach'] = ({ pid, startTicks }) => {
    if (!isProcess(pid)) return refused(`${pid} is no process to be signalled`);
    if (pid === process.pid) return refused('it is rollcall itself');
    if (!(startTicks > 0)) return refused(`the start of process ${pid} is not known`);
    const found = sense(pid);
    if (found.state === 'gone') return { state: 'gone' };
    if (found.state === 'refused') return refused(`process ${pid} cannot be looked at: ${found.code}`);
    if (found.startTicks !== startTicks || found.hasEnded) return { state: 'gone' };
    return isAbove(pid, sense) ? refused(`rollcall itself runs below process ${pid}`) : { state: 'there' };
  };
  return {
    reach,
    isProvenGone: ({ pid }) => isProcess(pid) && isOwnNumbers(platform, procRoot) && !isRunning(pid),
    signal(mark, signal) {
      const found = reach(mark);
      return found.state === 'there' ? send(mark.pid, signal) : found;
    },
  };
}

// To the kernel, 0 and negative numbers are groups, or everything.
function isProcess(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 1;
}

// In another pid namespace than that of /proc the same number is another process.
function isOwnNumbers(platform: NodeJS.Platform, procRoot: string): boolean {
  return platform === 'darwin' || linkAt(`${procRoot}/self`) === String(process.pid);
}

const MOST_ANCESTORS = 200;

// Whoever ends what it runs in ends itself, halfway through.
function isAbove(pid: number, sense: SenseMark): boolean {
  let at = process.ppid;
  for (let step = 0; at > 1 && step < MOST_ANCESTORS; step += 1) {
    if (at === pid) return true;
    const found = sense(at);
    at = found.state === 'read' ? (found.ppid ?? 0) : 0;
  }
  return false;
}

function send(pid: number, signal: NodeJS.Signals): ReturnType<ProcessActuator['signal']> {
  try {
    process.kill(pid, signal);
    return { state: 'sent' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return { state: 'gone' };
    return refused(code === 'EPERM' ? `process ${pid} belongs to somebody else` : message);
  }
}

function refused(text: string): { readonly state: 'refused'; readonly text: string } {
  return { state: 'refused', text };
}

function senseByProc(procRoot: string): SenseMark {
  const table = createLinuxProcessTable({ procRoot });
  return (pid) => {
    const read = table.senseOne(pid);
    return read.state === 'read' ? markOf(read.process) : read;
  };
}

/** Start marks are whole seconds here. Untested on a real Mac. */
function senseByPs(): SenseMark {
  const sensor = createMacosProcessSensor();
  return (pid) => {
    const { byPid, isComplete, problem } = sensor.sense();
    const found = byPid.get(pid);
    if (found !== undefined) return markOf(found);
    return isComplete ? { state: 'gone' } : { state: 'refused', code: problem ?? 'ps failed' };
  };
}

/** A zombie has ended, and only waits to be told to its parent. */
function markOf({ startTicks, state, ppid }: Pick<Process, 'startTicks' | 'state' | 'ppid'>) {
  return { state: 'read', startTicks, ppid, hasEnded: state === 'Z' || state === 'X' } as const;
}
