import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command. */
export const PROGRAM = fileURLToPath(new URL('../../dist/rollcall.cjs', import.meta.url));

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command as a user would, and waits for its end. */
export function rollcall(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  program: string = PROGRAM,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}

/** The command line that starts it, for shells and panes. */
export const ROLLCALL = `${process.execPath} ${PROGRAM}`;
