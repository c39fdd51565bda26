import { readFileSync } from 'node:fs';
import { runNow } from '../programs/run-now.ts';

/** The text of a small file, or why there is none: `absent` where the system has no such thing. */
export type SoughtText =
  | { readonly state: 'read'; readonly text: string }
  | { readonly state: 'absent' | 'failed'; readonly text: string };

/** Reads a file whose absence has to be told. */
export function seekText(path: string): SoughtText {
  try {
    return { state: 'read', text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { state: 'absent', text: 'there is no such file' };
    // How the kernel says that pressure is not recorded (CONFIG_PSI_DEFAULT_DISABLED, Linux 4.20 on).
    if (code === 'EOPNOTSUPP') return { state: 'absent', text: 'the kernel has it switched off' };
    return { state: 'failed', text: code === 'EACCES' ? 'it may not be read' : message };
  }
}

/** Runs one of the system's own programs and gives what it printed; null when it failed. */
export type ReadCommand = (program: string, args: readonly string[]) => string | null;

/** Bounded in time, and in the C locale so that the output can be parsed. */
export const runCommand: ReadCommand = (program, args) => {
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };
  const { stdout, cut } = runNow([program, ...args], { env, timeoutMs: 2_000 });
  return cut === null && stdout !== '' ? stdout : null;
};
