import { expect, test } from 'vitest';
import type { ThreadRest } from '../../../src/core/doctor/rest.ts';
import type { Process, ProcessDetails } from '../../../src/core/sight/process.ts';
import { createWatch } from '../../../src/engine/doctor/watch-progress.ts';

/** A machine on which time passes only while somebody waits. */
function machine(over: { ioBytes?: number } = { ioBytes: 10 }, rests: ThreadRest[] = []) {
  const waits: number[] = [];
  const process = { pid: 7, startTicks: 3, cpuMs: 5, reapedCpuMs: 5 } as Process;
  const seen = { at: 1000, byPid: new Map([[7, process]]) };
  const watch = createWatch({
    processes: {
      sense: () => ({ observedAt: 0, isComplete: true, byPid: seen.byPid }),
      details: () => new Map([[7, { pid: 7, startTicks: 3, argv: [], ...over } as ProcessDetails]]),
    },
    ties: { restOf: () => new Map(rests.splice(0, 1).map((rest) => [7, rest])) },
    now: () => seen.at,
    wait: async (ms) => {
      waits.push(ms);
      seen.at += ms;
      seen.byPid = new Map([[7, { ...process, cpuMs: 45 }]]);
    },
  });
  return { watch, process, seen, waits };
}

test('what is read for the first time is read twice, and later against what was read first', async () => {
  const { watch, process, seen, waits } = machine();
  const said = new Map([['7.3', { elapsedMs: 1000, cpuMs: 40, ioBytes: 0, rests: [null, null] }]]);
  expect(await watch([process])).toEqual(said);
  expect(await watch([process])).toEqual(said);
  seen.at += 9000;
  expect((await watch([process])).get('7.3')).toMatchObject({ elapsedMs: 10_000, cpuMs: 40, ioBytes: 0 });
  expect(waits).toEqual([1000]);
});

test('of what is gone, or another by now, nothing is said; storage that cannot be read is not known', async () => {
  const { watch, process, waits } = machine({});
  expect(await watch([{ ...process, startTicks: 4 }])).toEqual(new Map());
  expect(waits).toEqual([]);
  expect((await watch([process])).get('7.3')?.ioBytes).toBeNull();
});

test('how it stood is told of both readings', async () => {
  const [stopped, asleep] = ['T', 'S'].map((states) => ({ states, isTraced: false, isFrozen: false }));
  const { watch, process } = machine({}, [stopped as ThreadRest, asleep as ThreadRest]);
  expect((await watch([process])).get('7.3')?.rests).toEqual([stopped, asleep]);
});
