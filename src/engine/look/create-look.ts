import type { Recollection } from '../../core/memory/recollection.ts';
import { sampled, withLearnt } from '../../core/memory/sampled.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Asker, Look } from './look.ts';
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
    const own = asker === undefined ? parts : lookingFor(asker, parts);
    if (!isLoaded) {
      const loaded = parts.recollections.load();
      memory = loaded.value;
      loadProblem = loaded.problem;
      isLoaded = true;
    } else {
      memory = learnt(memory, parts);
    }
    if (options.inspect) {
      const { withoutGit = false } = options;
      memory = sampled((await tick(own, memory, { withoutGit })).recollection, memory);
      await wait(SAMPLE_MS);
    }
    const ticked = await tick(own, memory, options);
    // Before it is saved: what another process saved meanwhile must not be written over.
    memory = learnt(ticked.recollection, parts);
    const saveProblem = parts.recollections.save(memory);
    return withProblem(withProblem(ticked.roll, loadProblem), saveProblem ?? undefined);
  };
}

function learnt<M extends Recollection | null>(memory: M, { recollections }: Parts): M | Recollection {
  const news = memory === null ? null : (recollections.news?.() ?? null);
  return memory === null || news === null ? memory : withLearnt(memory, news);
}

/** As whoever asks would look: from where it is, and with nothing of git's in mind. */
function lookingFor({ pid, pane }: Asker, parts: Parts): Parts {
  const git = { sense: (cwds: readonly string[]) => parts.git.sense(cwds, true) };
  return { ...parts, ownPid: pid, ownPane: pane, git };
}

function withProblem(roll: Roll, text: string | undefined): Roll {
  if (text === undefined) return roll;
  const hint = 'looks go on without memory: what needs several looks to prove stays unproven';
  return { ...roll, problems: [...roll.problems, { code: 'memory-unavailable', text, hint }] };
}

/** The same look for several who ask, one after the other: two at once would each forget what the other saw. */
export function serialLook(look: Look): Look {
  let last: Promise<unknown> = Promise.resolve();
  return (options) => {
    const work = () => look(options);
    const done = last.then(work, work);
    // What fails fails only for its asker.
    last = done.catch(() => {});
    return done;
  };
}
