import type { EndStarted, RunCommand } from '../../ports/command-runner.ts';
import { runProgram } from '../programs/run-program.ts';
import { withMark } from '../programs/started-mark.ts';

/** More of an output helps nobody to see why a command failed; the end of it tells most. */
const KEPT_CHARACTERS = 4000;

/** Makes the runner; the environment is that of the caller. */
export function createCommandRunner(env: NodeJS.ProcessEnv, endStarted: EndStarted = () => {}): RunCommand {
  return async (argv, { cwd, timeoutMs, signal }) => {
    const started = withMark(env);
    let output = '';
    const run = await runProgram({
      argv,
      cwd,
      env: started.env,
      timeoutMs,
      signal,
      // A group of its own, so that what it started can be ended with it.
      isGroup: true,
      isAwaited: true,
      hear(text) {
        output = `${output}${text}`.slice(-KEPT_CHARACTERS);
      },
      // What left its group, at whatever end: nobody waits for it any more.
      onExit: () => endStarted(started),
    });
    if (run.ended === 'unstartable') return { state: 'not-started', output: run.text };
    if (run.ended === 'timeout') return { state: 'timed-out', output };
    if (run.signal !== null) return { state: 'killed', signal: run.signal, output };
    // One that was called off before it began has no end of its own.
    if (run.ended === 'aborted') return { state: 'killed', signal: 'SIGKILL', output };
    return { state: 'exited', exitCode: run.code ?? 1, output };
  };
}
