import { randomUUID } from 'node:crypto';
import { STARTED_VARIABLE, type StartedProgram } from '../../ports/command-runner.ts';
import { type EndCause, type ProgramCall, type ProgramRun, runProgram } from './run-program.ts';

interface MarkedCall extends Pick<ProgramCall, 'argv' | 'env' | 'cwd' | 'input' | 'timeoutMs' | 'signal'> {
  /** How much is kept of the end of its output, which tells most. */
  readonly keptCharacters: number;
  /** Called when it has ended: what it started may still run, and bears the mark. */
  onExit(started: StartedProgram, why: EndCause): void;
}

/**
 * Runs a program of the user's, in a group of its own, so that what it started can be ended with it; what leaves the group
 * still bears a mark in its environment.
 */
export async function runMarked(call: MarkedCall): Promise<{ run: ProgramRun; output: string }> {
  const { keptCharacters, onExit, ...rest } = call;
  const started = withMark(call.env);
  let output = '';
  const run = await runProgram({
    ...rest,
    env: started.env,
    isGroup: true,
    isAwaited: true,
    hear(text) {
      output = `${output}${text}`.slice(-keptCharacters);
    },
    onExit: (_, why) => onExit(started, why),
  });
  return { run, output };
}

/** Marks inside of marks: a program that rollcall started may start rollcall again. */
const MOST_MARKS = 8;

/** Gives a program's environment a mark of its own, beside those that this process runs under itself. */
function withMark(env: NodeJS.ProcessEnv): StartedProgram {
  const mark = randomUUID();
  const outer = (env[STARTED_VARIABLE] ?? '').split(' ').filter((word) => word !== '');
  const marks = [...outer, mark].slice(-MOST_MARKS).join(' ');
  return { mark, startedAt: Date.now(), env: { ...env, [STARTED_VARIABLE]: marks } };
}
