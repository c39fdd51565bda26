import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { PRIVATE_MOUNTS } from './private-mounts.ts';
import { until } from './until.ts';

/** A disk of one megabyte on a folder, which only those see who are sent there. */
export class SmallDisk {
  readonly folder: string;
  readonly #keeper: ChildProcess;
  #isReady = false;

  constructor(folder: string) {
    this.folder = folder;
    const [program = '', ...words] = PRIVATE_MOUNTS;
    const body = 'mount -t tmpfs -o size=1m,mode=700 none "$0" && echo ready && exec sleep 1000';
    this.#keeper = spawn(program, [...words, 'sh', '-c', body, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#keeper.stdout?.on('data', () => {
      this.#isReady = true;
    });
  }

  async ready(): Promise<this> {
    await until('the disk is there', () => this.#isReady);
    return this;
  }

  /** A command line as it runs there. */
  inside(...argv: string[]): [string, ...string[]] {
    return ['nsenter', '--preserve-credentials', '-U', '-m', '-t', String(this.#keeper.pid), '--', ...argv];
  }

  remove(): void {
    this.#keeper.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
