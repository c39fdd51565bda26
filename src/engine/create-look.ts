import type { Recollection } from '../core/recollection.ts';
import type { Roll } from '../core/roll.ts';
import { sampled } from '../core/sampled.ts';
import type { Look } from './look.ts';
import type { Parts } from './parts.ts';
import { tick } from './tick.ts';

/** CPU rates need two samples; this far apart they are worth reading and nobody waits long. */
const SAMPLE_MS = 300;

/** Makes looks that remember: each is compared with the one before it, also with one by an earlier process. */
export function createLook(parts: Parts, wait: (ms: number) => Promise<void>): Look {
  let memory: Recollection | null = null;
  let loadProblem: string | undefined;
  let isLoaded = false;
  return async (options = {}) => {
    const { asker } = options;
    const own = asker === undefined ? parts : { ...parts, ownPid: asker.pid, ownPane: asker.pane };
    if (!isLoaded) {
      const loaded = parts.recollections.load();
      memory = loaded.value;
      loadProblem = loaded.problem;
      isLoaded = true;
    }
    if (options.inspect) {
      const { withoutGit = false } = options;
      memory = sampled((await tick(own, memory, { withoutGit })).recollection, memory);
      await wait(SAMPLE_MS);
    }
    const ticked = await tick(own, memory, options);
    memory = ticked.recollection;
    const saveProblem = parts.recollections.save(memory);
    return withProblem(withProblem(ticked.roll, loadProblem), saveProblem ?? undefined);
  };
}

function withProblem(roll: Roll, text: string | undefined): Roll {
  if (text === undefined) return roll;
  const hint = 'looks go on without memory: what needs several looks to prove stays unproven';
  return { ...roll, problems: [...roll.problems, { code: 'memory-unavailable', text, hint }] };
}
