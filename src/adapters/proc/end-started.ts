import { type Carrier, leftRunning } from '../../core/verdict/left-running.ts';
import { type EndStarted, STARTED_VARIABLE } from '../../ports/command-runner.ts';
import { createLinuxEnvironment } from './linux-markers.ts';
import { createLinuxOpenFiles } from './linux-open-files.ts';
import { createLinuxProcessTable } from './linux-process-table.ts';
import { isListening } from './open-doors.ts';
import { createProcessActuator } from './process-actuator.ts';

/** What is ended may have started another one just before. */
const ROUNDS = 5;
/** The table tells the start of a process by hundredths of a second and the clock. */
const SLACK_MS = 5000;

/**
 * Ends what left the process group of a program that rollcall started: children inherit its environment, and so a mark in
 * it that no other process has. Where the system does not show environments nothing is done.
 */
export function createEndStarted(platform: NodeJS.Platform = process.platform): EndStarted {
  if (platform !== 'linux') return () => {};
  const table = createLinuxProcessTable({ procRoot: '/proc' });
  const openFiles = createLinuxOpenFiles(table);
  const actuator = createProcessActuator();
  return ({ mark, startedAt, env }) => {
    const given = { tmux: env.TMUX, tmuxPane: env.TMUX_PANE };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { byPid } = table.sense();
      const environment = createLinuxEnvironment(table);
      const carriers = [...byPid.values()].flatMap((process): Carrier[] => {
        if (process.startedAt < startedAt - SLACK_MS) return [];
        const found = environment.read(process);
        if (found === null || !(found[STARTED_VARIABLE] ?? '').split(' ').includes(mark)) return [];
        const { TMUX: tmux, TMUX_PANE: tmuxPane } = found;
        const keepsTerminal = openFiles.keepTerminals([process]).get(process.pid);
        // It is gone.
        if (keepsTerminal === undefined) return [];
        return [
          { process, tmux, tmuxPane, keepsTerminal, isListening: isListening(table.folder(process.pid)) },
        ];
      });
      const left = leftRunning(carriers, byPid, given);
      if (left.length === 0) return;
      for (const one of left) actuator.signal(one, 'SIGKILL');
    }
  };
}
