import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The text of a small file; null when it cannot be read, which is an answer and no failure. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Runs one of the system's own programs and gives what it printed; null when it failed. */
export type RunCommand = (program: string, args: readonly string[]) => string | null;

/** Bounded in time, and in the C locale so that the output can be parsed. */
export const runCommand: RunCommand = (program, args) => {
  const { stdout, error } = spawnSync(program, args, {
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    encoding: 'utf8',
    timeout: 2_000,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return error === undefined && stdout !== '' ? stdout : null;
};
