import type { RunCommand } from '../../ports/command-runner.ts';
import type { FolderDesk } from './folders.ts';

/**
 * Runs commands only in folders that answer. Node.js waits, with everything else, until a new process has entered its folder:
 * in one on a dead mount it would wait for ever.
 */
export function carefulRunner(run: RunCommand, desk: FolderDesk): RunCommand {
  return async (argv, bounds) => {
    const problem = (await desk.hosted()?.problemOf(bounds.cwd)) ?? null;
    return problem === null ? run(argv, bounds) : { state: 'not-started', output: problem };
  };
}
