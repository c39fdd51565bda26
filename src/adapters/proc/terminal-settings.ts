import { type ChildProcess, type SpawnOptions, spawn as spawnChild } from 'node:child_process';
import { answerTime } from '../programs/answer-time.ts';

/** Reads the settings of a terminal as the words of `stty -a` (`-icanon`, `lnext=<undef>`), or says why it cannot. */
export type AskTerminal = (path: string) => Promise<ReadonlySet<string> | string>;

export type Spawn = (file: string, argv: readonly string[], options: SpawnOptions) => ChildProcess;

const TIMEOUT_MS = 2000;
const MAX_BYTES = 16_384;

/**
 * Asks stty, which opens the terminal without waiting for it. It leads no session, so the terminal never becomes its own;
 * one that hangs all the same is left behind.
 */
export function createAskTerminal(
  env: NodeJS.ProcessEnv,
  options: { readonly spawn?: Spawn; readonly timeoutMs?: number } = {},
): AskTerminal {
  const { spawn = spawnChild, timeoutMs = TIMEOUT_MS } = options;
  const own = { PATH: env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };
  return (path) =>
    new Promise((resolve) => {
      let child: ChildProcess;
      try {
        child = spawn('stty', ['-F', path, '-a'], {
          ...{ cwd: '/', env: own, stdio: ['ignore', 'pipe', 'ignore'] },
        });
      } catch (error) {
        return resolve(`stty cannot be started: ${String(error)}`);
      }
      let text = '';
      const end = (answer: ReadonlySet<string> | string): void => {
        callOff();
        child.stdout?.destroy();
        child.unref();
        resolve(answer);
      };
      const late = (): void => {
        child.kill('SIGKILL');
        end(`stty gave no answer within ${timeoutMs} ms`);
      };
      const callOff = answerTime(timeoutMs, late);
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < MAX_BYTES) text += chunk;
      });
      child.on('error', (error) => end(`stty cannot be started: ${error.message}`));
      child.on('close', (code) => {
        const settings = settingsIn(text);
        end(code === 0 && settings.size > 0 ? settings : 'stty cannot read its terminal');
      });
    });
}

function settingsIn(text: string): ReadonlySet<string> {
  const values = [...text.matchAll(/(\w+) = ([^;\n]*)/g)].map(
    ([, name, value]) => `${name}=${value?.trim()}`,
  );
  const flags = text.replace(/\w+ = [^;\n]*/g, ' ').match(/(?<=\s)-?[a-z]\w*(?=[\s;])/g) ?? [];
  return new Set([...values, ...flags]);
}
