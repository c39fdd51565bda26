import { setMaxListeners } from 'node:events';
import { expect, type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import type { Board } from './board.ts';

/** A hung test is one that takes far longer than it did, and longer than a busy machine makes of it. */
const HUNG_MS = 10_000;
const HUNG_TIMES = 50;

/** How a test went: `hung` and `endless` count as red. */
export type Went = 'green' | 'red' | 'hung';

/** Runs the function of a test once more, with what is to run before and after it, whatever it did before. */
export async function playTest(test: RunnerTestCase, board: Board, id: number, before: Usual): Promise<Went> {
  const suites = suitesOf(test);
  board.turnTo(id, 100_000 + before.questions * 100);
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<Went>((resolve) => {
    timer = setTimeout(() => resolve('hung'), HUNG_MS + HUNG_TIMES * before.ms);
  });
  const went = await Promise.race([played(test, suites), hung]);
  clearTimeout(timer);
  return went;
}

/** What a test took without a mutant. */
export interface Usual {
  readonly ms: number;
  readonly questions: number;
}

async function played(test: RunnerTestCase, suites: readonly RunnerTestSuite[]): Promise<Went> {
  const isGreen = await isPlayedGreen(test, suites);
  return isGreen === (test.fails !== true) ? 'green' : 'red';
}

/** What the runner keeps beside what its types say. */
interface Finishing {
  onFinished?: ((context: unknown) => unknown)[] | undefined;
}

async function isPlayedGreen(test: RunnerTestCase, suites: readonly RunnerTestSuite[]): Promise<boolean> {
  const after: (() => unknown)[] = [];
  let isGreen = true;
  const attempt = async (act: () => unknown) => {
    try {
      await act();
    } catch {
      isGreen = false;
    }
  };
  // Each run of a test listens once more for its end.
  setMaxListeners(0, test.context.signal);
  expect.setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null });
  for (const suite of suites)
    for (const hook of TestRunner.getSuiteHooks(suite).beforeEach)
      await attempt(async () => {
        const undo = await hook(test.context as never, suite);
        if (typeof undo === 'function') after.unshift(undo as () => unknown);
      });
  if (isGreen) await attempt(() => TestRunner.getTestFn(test)());
  const { assertionCalls, isExpectingAssertions, expectedAssertionsNumber } = expect.getState();
  if (expectedAssertionsNumber !== null && expectedAssertionsNumber !== assertionCalls) isGreen = false;
  if (isExpectingAssertions && assertionCalls === 0) isGreen = false;
  for (const suite of [...suites].reverse())
    for (const hook of TestRunner.getSuiteHooks(suite).afterEach)
      await attempt(() => hook(test.context as never, suite));
  const { onFinished = [] } = test as Finishing;
  for (const undo of [...after, ...onFinished.map((hook) => () => hook(test.context))]) await attempt(undo);
  (test as Finishing).onFinished = undefined;
  return isGreen;
}

/** From the file inwards. */
function suitesOf(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = [];
  for (
    let at: RunnerTestSuite | undefined = test.suite ?? test.file;
    at !== undefined;
    at = at.suite ?? (at === at.file ? undefined : at.file)
  )
    suites.unshift(at);
  return suites;
}
