import type { ProcessMark } from '../../../core/sight/identity.ts';
import type { Acted, Terms } from '../../../ports/actuator.ts';
import type { Reach } from './act-if.ts';
import { actOnStance } from './stance.ts';
import { literal } from './words.ts';

const NAMES = { SIGTERM: 'TERM', SIGKILL: 'KILL' } as const;

/**
 * Has tmux send a signal if all of the session still stands as it stood: the shell that sends it is started in the same
 * step, so that whatever stops rollcall here comes before the comparison or after the signal.
 */
export async function signalIf(
  reach: Reach,
  terms: Terms,
  processes: readonly ProcessMark[],
  signal: keyof typeof NAMES,
): Promise<Acted> {
  if (!processes.every(isMark)) return { state: 'failed', text: 'not a process with its start' };
  const command = ['run-shell', '-b', literal(script(processes, NAMES[signal]))];
  return actOnStance(reach, terms, () => [command]);
}

/**
 * Compares field 22 of /proc/PID/stat, behind a name that may hold anything. A stopped process takes SIGTERM only once it
 * goes on. A zombie that has other threads (field 20) has not ended. Whatever it printed, and any status but 0, tmux would
 * show in somebody's pane. Quoted for whatever shell tmux takes, and free of single quotes. What it ends may end the tmux
 * server, which then ends its jobs.
 */
function script(processes: readonly ProcessMark[], name: 'TERM' | 'KILL'): string {
  const lines = [
    'exec >/dev/null 2>&1',
    'trap "" HUP INT TERM PIPE',
    `end() { pid=$1; start=$2; stat=; read -r stat <"/proc/$pid/stat"; set -- \${stat##*) }`,
    `[ "\${20}" = "$start" ] && { [ "$1" != Z ] || [ "\${18}" -gt 1 ]; } && kill -${name} "$pid" && kill -CONT "$pid"; }`,
    ...processes.map(({ pid, startTicks }) => `end ${pid} ${startTicks}`),
    'exit 0',
  ];
  return `exec /bin/sh -c '${lines.join('; ')}'`;
}

function isMark({ pid, startTicks }: ProcessMark): boolean {
  return Number.isSafeInteger(pid) && pid > 1 && Number.isSafeInteger(startTicks) && startTicks > 0;
}
