import { appendFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { layBoard } from './board.ts';
import { hunt } from './hunt.ts';
import { type Answer, JOB, type Job } from './job.ts';
import { Tests } from './tests.ts';

/** Runs every test once and notes which mutants it reaches; after the last one, hunts them all in the same process. */
export default class MutantRunner extends TestRunner {
  readonly #job: Job = JSON.parse(readFileSync(process.env[JOB] ?? '', 'utf8'));
  readonly #board = layBoard();
  readonly #tests = new Tests(this, this.#board);
  #files = 0;

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config);
    // A test that draws its values must draw the same ones each time, and the smallest example is nobody's question here.
    fc.configureGlobal({ seed: 1, endOnFailure: true });
  }

  onBeforeCollect(): void {
    this.#board.note();
  }

  onBeforeRunFiles(files: RunnerTestFile[]): void {
    const asked = this.#board.note();
    for (const { filepath } of files) this.#tests.whileLoading.set(filepath, asked);
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    this.#board.note();
    this.#board.turnTo(-1);
    const startedAt = performance.now();
    await TestRunner.getTestFn(test)();
    const ms = performance.now() - startedAt;
    const questions = this.#board.questions();
    this.#tests.keep(test, { ms, questions }, this.#board.note());
  }

  override async onAfterRunFiles(files?: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles();
    const answer = (one: Answer) => appendFileSync(this.#job.answers, `${JSON.stringify(one)}\n`);
    for (const file of files ?? []) {
      answer({ kind: 'ran', file: file.name });
      for (const test of this.#tests.redIn(file)) answer({ kind: 'unfit', test, isRed: true });
    }
    this.#files += 1;
    if (this.#files === this.#job.tests.length) await hunt(this.#job, this.#tests, this.#board, answer);
  }
}
