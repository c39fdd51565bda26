import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from '../../support/until.ts';

/** Real processes of a test, each ended by pid and start mark, so that a recycled pid is never hit. */
export class RealProcesses {
  readonly #started: { readonly pid: number; readonly startTicks: number }[] = [];

  /** Starts a program and waits until it is really that program and no longer a fork of this one. */
  async start(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ChildProcess & { pid: number }> {
    const [program = '', ...args] = argv;
    const child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH, ...env },
    });
    child.on('error', () => {});
    if (child.pid === undefined) throw new Error(`${program} did not start`);
    this.own(child.pid);
    return child as ChildProcess & { pid: number };
  }

  /** Takes on a process that one of ours started, to be ended with the others. */
  own(pid: number): void {
    const startTicks = startTicksOf(pid);
    if (startTicks !== undefined) this.#started.push({ pid, startTicks });
  }

  async endAll(): Promise<void> {
    for (const { pid, startTicks } of this.#started) {
      if (startTicksOf(pid) === startTicks) process.kill(pid, 'SIGKILL');
    }
    for (const { pid, startTicks } of this.#started.splice(0)) {
      await until(`${pid} has ended`, () => startTicksOf(pid) !== startTicks);
    }
  }
}

/** The start mark of a living process, read the slow and simple way; a zombie without other threads counts as ended. */
export function startTicksOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' && !(Number(fields[17]) > 1) ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
}
