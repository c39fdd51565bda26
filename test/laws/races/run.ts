import { type Interleaved, type Interleaving, interleave } from './interleave.ts';
import { judgeLedger } from './judge-ledger.ts';
import { Stage } from './stage.ts';

/** A world lives for so many: what earlier ones recorded would slow down the later ones. */
const PER_STAGE = 8;

/** Runs all of them, some side by side, each in a world that is as clean as a new one. */
export async function runAll(
  all: readonly Interleaving[],
  jobs: number,
  onResult: (result: Interleaved) => void,
): Promise<Interleaved[]> {
  const results: Interleaved[] = [];
  const open = [...all].reverse();
  const job = async () => {
    while (open.length > 0) results.push(...(await onOneStage(open, onResult)));
  };
  await Promise.all(Array.from({ length: jobs }, job));
  return results;
}

async function onOneStage(
  open: Interleaving[],
  onResult: (result: Interleaved) => void,
): Promise<Interleaved[]> {
  const stage = await Stage.open();
  const done: Interleaved[] = [];
  try {
    for (let isClean = true; isClean && done.length < PER_STAGE; ) {
      const one = open.pop();
      if (one === undefined) break;
      const result = await interleave(stage, one).catch(onError(one));
      if (result !== null) done.push(result);
      isClean =
        (await stage.clear()) && result?.violations.every(({ kind }) => kind !== 'bystander') === true;
    }
    for (const [result, missing] of await judgeLedger(stage, done)) result.violations.push(...missing);
  } catch (error) {
    console.log(`a stage broke: ${(error as Error).message}`);
  } finally {
    await stage.close();
  }
  done.forEach(onResult);
  return done;
}

// What cannot be set up proves nothing, and stops nothing.
function onError({ scene, point, intervention }: Interleaving) {
  return (error: unknown) => {
    console.log(`! ${scene.name} · ${intervention.name} · ${point}: ${(error as Error).message}`);
    return null;
  };
}
