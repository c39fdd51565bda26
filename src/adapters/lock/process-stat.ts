import { wholeState } from '../../core/sight/whole-state.ts';
import { statFields } from '../files/look.ts';

/** The few fields of /proc/PID/stat that matter to a lock and to job control. */
export interface ProcessStat {
  readonly state: string;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** Foreground group of its terminal, -1 without one. */
  readonly tpgid: number;
  readonly startTicks: number;
}

/** Null where there is no such process, or no /proc. */
export function readProcessStat(pid: number): ProcessStat | null {
  const fields = statFields(`/proc/${pid}/stat`);
  if (fields === null) return null;
  const at = (index: number) => Number(fields[index]);
  return {
    state: wholeState(fields[0] ?? '', at(17)),
    ppid: at(1),
    pgid: at(2),
    sid: at(3),
    tpgid: at(5),
    startTicks: at(19),
  };
}
