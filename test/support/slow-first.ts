import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whose files wait longest, for real times and real processes; most of them are short to read. */
const SLOWEST = [
  ...['test/laws/', 'test/e2e/', 'test/engine/', 'test/attacks/', 'test/cli/'],
  ...['test/server/', 'test/scripts/', 'test/hook/'],
];

/**
 * Begins with the folders whose tests take longest, so that what needs a core fills the time that they wait. Vitest begins
 * with the longest texts, and would end with a few files that wait while both cores have nothing to do.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => this.#rank(a) - this.#rank(b));
  }

  #rank({ moduleId }: TestSpecification): number {
    const path = relative(this.ctx.config.root, moduleId);
    const rank = SLOWEST.findIndex((folder) => path.startsWith(folder));
    return rank === -1 ? SLOWEST.length : rank;
  }
}
