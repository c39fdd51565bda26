import { spawn } from 'node:child_process';

/** By these a process is known as one of the pane that it is to outlive. */
const OF_THE_PANE = ['TMUX_PANE', 'ROLLCALL_RUN', 'ROLLCALL_OWNER'];

/**
 * Runs a command of rollcall in a session of its own: it goes on when the terminal of this one is gone. Gives what it said, and
 * how it ended.
 */
export function handOver(env: NodeJS.ProcessEnv, argv: readonly string[]) {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_PANE.includes(name)));
  const [program = '', ...words] = argv;
  const child = spawn(program, words, {
    ...{ cwd: '/', env: own, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  return new Promise<typeof said & { readonly code: number }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, ...said }));
  });
}
