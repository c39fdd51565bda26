import { randomUUID } from 'node:crypto';
import { STARTED_VARIABLE, type Started } from '../../ports/command-runner.ts';

/** Marks inside of marks: a program that rollcall started may start rollcall again. */
const MOST_MARKS = 8;

/** Gives a program's environment a mark of its own, beside those that this process runs under itself. */
export function withMark(env: NodeJS.ProcessEnv): Started {
  const mark = randomUUID();
  const outer = (env[STARTED_VARIABLE] ?? '').split(' ').filter((word) => word !== '');
  const marks = [...outer, mark].slice(-MOST_MARKS).join(' ');
  return { mark, startedAt: Date.now(), env: { ...env, [STARTED_VARIABLE]: marks } };
}
