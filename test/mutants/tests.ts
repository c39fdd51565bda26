import { createRequire } from 'node:module';
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, type TestRunner, vi } from 'vitest';
import type { Board } from './board.ts';
import { playTest, type Usual, type Went } from './stage.ts';

/** A test as it is known from one load of its file to the next. */
export interface Known {
  readonly file: string;
  /** Which of its file. */
  readonly index: number;
  readonly name: string;
  readonly usual: Usual;
  readonly reaches: ReadonlySet<number>;
}

type Collect = (specs: { filepath: string }[], runner: TestRunner) => Promise<RunnerTestFile[]>;

/** All tests of a run, which stay loaded, and can be loaded anew. */
export class Tests {
  readonly known: Known[] = [];
  readonly unfit = new Set<Known>();
  /** For each file, what is asked for while it is loaded: some of its tests only compare what was worked out then. */
  readonly whileLoading = new Map<string, ReadonlySet<number>>();
  readonly #runner: TestRunner;
  readonly #board: Board;
  readonly #loaded = new Map<string, readonly RunnerTestCase[]>();

  constructor(runner: TestRunner, board: Board) {
    this.#runner = runner;
    this.#board = board;
  }

  /** Called with each test once it is green, while its file is run for the first time. */
  keep(test: RunnerTestCase, usual: Usual, reaches: ReadonlySet<number>): void {
    const file = test.file.filepath;
    const all = testsIn(test.file);
    this.#loaded.set(file, all);
    this.known.push({ file, index: all.indexOf(test), name: nameOf(test), usual, reaches });
  }

  redIn(file: RunnerTestFile): string[] {
    const red = testsIn(file)
      .filter(({ result }) => result?.state === 'fail')
      .map(nameOf);
    return file.result?.errors?.length ? [...red, file.name] : red;
  }

  /** Plays a test with a mutant on, or none. Without its file, which cannot be loaded then, it is red. */
  async play(test: Known, id: number, look?: () => void): Promise<Went> {
    const loaded = this.#loaded.get(test.file) ?? (await this.#load(test.file, id));
    const found = loaded[test.index];
    if (found === undefined) return 'red';
    const went = await playTest(found, this.#board, id, test.usual);
    look?.();
    this.#board.turnTo(-1);
    return went;
  }

  /** From now on every file is loaded anew. */
  forget(): void {
    vi.resetModules();
    this.#loaded.clear();
  }

  async #load(file: string, id: number): Promise<readonly RunnerTestCase[]> {
    this.#board.turnTo(id, LOAD_QUESTIONS);
    const silent = { value: undefined };
    const runner = Object.create(this.#runner, {
      onBeforeCollect: silent,
      onCollected: silent,
      onCollectStart: silent,
    });
    const [loaded] = await (await collect())([{ filepath: file }], runner);
    const tests = loaded === undefined || loaded.result?.errors?.length ? [] : testsIn(loaded);
    this.#loaded.set(file, tests);
    return tests;
  }
}

const LOAD_QUESTIONS = 10_000_000;

// Vitest does not hand it on, and it has to be the one that it uses itself.
async function collect(): Promise<Collect> {
  const from = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'));
  const { collectTests } = await import(/* @vite-ignore */ from.resolve('@vitest/runner'));
  return collectTests;
}

function testsIn(task: RunnerTask): RunnerTestCase[] {
  if (task.type === 'test') return task.mode === 'run' || task.mode === 'queued' ? [task] : [];
  return task.tasks.flatMap(testsIn);
}

function nameOf(test: RunnerTestCase): string {
  return test.fullName;
}
