import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { PoolOptions, PoolRunnerInitializer, PoolWorker } from 'vitest/node';

/** A process table of its own; what is left in it ends with it. Only root may have one without becoming somebody else. */
const SEAL = ['-m', '-p', '-f', '--kill-child=KILL', '--mount-proc'];

// Waits for every process that it inherits; and the worker has, as everywhere, a parent that is not process 1.
const INIT = `sh -c '"$@"; exit' below "$@" & wait $!`;

/**
 * Workers that see their own processes only. A look reads the whole process table: with that of the machine it would cost
 * the more the more workers there are. Undefined where the kernel allows none; then tests run in plain processes.
 */
export const sealedWorkers: PoolRunnerInitializer | undefined = canSeal()
  ? { name: 'sealed', createPoolWorker: (options) => new SealedWorker(options) }
  : undefined;

function canSeal(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', [...SEAL, 'sh', '-c', INIT, 'init', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

class SealedWorker implements PoolWorker {
  readonly name = 'sealed';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  #process: ChildProcess | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { execArgv, env, distPath } = this.#options;
    const node = [process.execPath, ...execArgv, join(distPath, 'workers', 'forks.js')];
    this.#process ??= spawn('unshare', [...SEAL, 'sh', '-c', INIT, 'init', ...node], {
      ...{ env: env as NodeJS.ProcessEnv, serialization: 'advanced' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  /** It has done all it had to do. */
  async stop(): Promise<void> {
    const child = this.#started;
    this.#process = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  on(event: string, callback: (arg: never) => void): void {
    this.#started.on(event, callback as (arg: unknown) => void);
  }

  off(event: string, callback: (arg: never) => void): void {
    this.#started.off(event, callback as (arg: unknown) => void);
  }

  send(message: object): void {
    this.#started.send(message);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  get #started(): ChildProcess {
    if (this.#process === undefined) throw new Error('the worker was not started, or is stopped');
    return this.#process;
  }
}
