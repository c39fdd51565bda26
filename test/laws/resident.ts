import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundle } from '../support/bundle.ts';
import type { Ran } from '../support/command.ts';
import { LOADER } from '../support/own-process.ts';
import { SELDOM_AGAIN } from '../support/seldom-again.ts';
import { until } from '../support/until.ts';
import type { Question } from './resident-program.ts';

interface Answer {
  readonly id: number;
  readonly ran?: Ran;
  readonly problem?: string;
}

/**
 * A process of a world that is there already and runs one command line after the other. A new Node takes ten times as long to run
 * most of them: it has to start, to read the program, and to run all of it for the first time.
 */
export class Resident {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', (answer: Answer) => this.#waiting.get(answer.id)?.(answer));
    child.on('exit', () => {
      for (const [id, tell] of this.#waiting) tell({ id, problem: 'the resident ended' });
    });
  }

  /** `enter` are the words that start a program in the world. */
  static async start(enter: readonly string[], env: NodeJS.ProcessEnv): Promise<Resident> {
    const [program = '', ...words] = [...enter, process.execPath, SELDOM_AGAIN, await residentFile()];
    return new Resident(spawn(program, words, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
  }

  get isThere(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null && this.#process.connected;
  }

  async rollcall(argv: readonly string[]): Promise<Ran> {
    this.#count += 1;
    const question: Question = { id: this.#count, argv };
    const { ran, problem } = await new Promise<Answer>((resolve) => {
      this.#waiting.set(question.id, resolve);
      this.#process.send(question, (error) => {
        if (error !== null) resolve({ id: question.id, problem: String(error) });
      });
    });
    this.#waiting.delete(question.id);
    if (ran === undefined) throw new Error(`${argv.join(' ')}: ${problem}`);
    return ran;
  }
}

/** Keeps what V8 compiled once a few questions are answered: a resident is killed with its world, and has no end of its own. */
const KEEP_WHEN_WARM = `
let left = 5;
const { send } = process;
process.send = (...words) => {
  left -= 1;
  if (left === 0) setImmediate(keep);
  return send.apply(process, words);
};
`;

/** It takes a second of a core that many want. */
const MAKING_MS = 300_000;

// A test may say later that its own folder is another one.
const FOLDER = residentFolder();

/**
 * One for the whole run of tests: whoever comes first makes it. Two folders below the project, as its source lies, so that the
 * built program is found; and below node_modules, so that packages are.
 */
async function residentFile(): Promise<string> {
  const file = join(FOLDER, 'resident.mjs');
  if (existsSync(file)) return file;
  mkdirSync(FOLDER, { recursive: true, mode: 0o755 });
  if (process.env.ROLLCALL_TEST_FOLDER === undefined)
    process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));
  try {
    mkdirSync(join(FOLDER, 'making'));
  } catch {
    await until('whoever came first has made it', () => existsSync(file), Boolean, MAKING_MS);
    return file;
  }
  const own = join(FOLDER, `${process.pid}-${Math.random().toString(36).slice(2)}`);
  await bundle({
    input: resolve('test/laws/resident-program.ts'),
    ...{ file: `${own}.cjs`, format: 'cjs' },
    external: ['@photostructure/sqlite', 'fs-native-extensions'],
  });
  writeFileSync(`${own}.mjs`, LOADER + KEEP_WHEN_WARM);
  // One test has a umask that lets everybody write.
  for (const ending of ['cjs', 'mjs']) chmodSync(`${own}.${ending}`, 0o644);
  renameSync(`${own}.cjs`, join(FOLDER, 'module.cjs'));
  renameSync(`${own}.mjs`, file);
  return file;
}

/** Removed with the folder of the run; without one it is this process's own, and goes with it. */
export function residentFolder(): string {
  const run = process.env.ROLLCALL_TEST_FOLDER;
  return resolve('node_modules', `.rollcall-resident-${run === undefined ? process.pid : basename(run)}`);
}
