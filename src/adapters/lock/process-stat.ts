import { wholeState } from '../../core/sight/process.ts';
import { statFields } from '../files/look.ts';

/** The few fields of /proc/PID/stat that matter to a lock and to job control; null where there is no such process, or no /proc. */
export function readProcessStat(pid: number) {
  const fields = statFields(`/proc/${pid}/stat`);
  if (fields === null) return null;
  const at = (index: number) => Number(fields[index]);
  return {
    state: wholeState(fields[0] ?? '', at(17)),
    ppid: at(1),
    pgid: at(2),
    sid: at(3),
    /** Foreground group of its terminal, -1 without one. */
    tpgid: at(5),
    startTicks: at(19),
  };
}
