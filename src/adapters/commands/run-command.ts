import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { CommandEnd, EndStarted, RunCommand } from '../../ports/command-runner.ts';
import { endGroup } from '../programs/end-group.ts';
import { afterLastWords } from '../programs/last-words.ts';
import { withMark } from '../programs/started-mark.ts';

/** More of an output helps nobody to see why a command failed; the end of it tells most. */
const KEPT_CHARACTERS = 4000;

/** Makes the runner; the environment is that of the caller. */
export function createCommandRunner(env: NodeJS.ProcessEnv, endStarted: EndStarted = () => {}): RunCommand {
  return ([program = '', ...words], { cwd, timeoutMs, signal }) =>
    new Promise((resolve) => {
      const started = withMark(env);
      let output = '';
      let isLate = false;
      let child: ChildProcess;
      try {
        // A group of its own, so that what it started can be ended with it.
        const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
        child = spawn(program, words, { cwd, env: started.env, stdio, detached: true });
      } catch (error) {
        return resolve({ state: 'not-started', output: String(error) });
      }
      const hear = (text: string) => {
        output = `${output}${text}`.slice(-KEPT_CHARACTERS);
      };
      child.stdout?.setEncoding('utf8').on('data', hear);
      child.stderr?.setEncoding('utf8').on('data', hear);
      const timer = setTimeout(() => {
        isLate = true;
        endGroup(child);
      }, timeoutMs);
      const abort = () => endGroup(child);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      const end = (result: CommandEnd) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        // What it left running may hold these open for ever.
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(result);
      };
      child.on('error', (error) => end({ state: 'not-started', output: error.message }));
      child.on('exit', (exitCode, endedBy) => {
        // What left its group, at whatever end: nobody waits for it any more.
        endStarted(started);
        afterLastWords(child, () => {
          if (isLate) end({ state: 'timed-out', output });
          else if (endedBy !== null) end({ state: 'killed', signal: endedBy, output });
          else end({ state: 'exited', exitCode: exitCode ?? 1, output });
        });
      });
    });
}
