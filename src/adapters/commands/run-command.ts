import type { EndStarted, RunCommand } from '../../ports/command-runner.ts';
import { runMarked } from '../programs/run-marked.ts';

/** More of an output helps nobody to see why a command failed. */
const KEPT_CHARACTERS = 4000;

/** Makes the runner; the environment is that of the caller. */
export function createCommandRunner(env: NodeJS.ProcessEnv, endStarted: EndStarted = () => {}): RunCommand {
  return async (argv, bounds) => {
    const { run, output } = await runMarked({
      argv,
      env,
      ...bounds,
      keptCharacters: KEPT_CHARACTERS,
      // What left its group, at whatever end: nobody waits for it any more.
      onExit: endStarted,
    });
    if (run.ended === 'unstartable') return { state: 'not-started', output: run.text };
    if (run.ended === 'timeout') return { state: 'timed-out', output };
    if (run.signal !== null) return { state: 'killed', signal: run.signal, output };
    // One that was called off before it began has no end of its own.
    if (run.ended === 'aborted') return { state: 'killed', signal: 'SIGKILL', output };
    return { state: 'exited', exitCode: run.code ?? 1, output };
  };
}
