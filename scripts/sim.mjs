// Plays simulated worlds and looks whether a law is ever broken; see test/sim/ and docs/SIMULATION.md.
import { bundleTs, importTs } from './run-ts.mjs';

const { planting, sim } = await importTs('test/sim/run/main.ts');

process.exitCode = await sim(process.argv.slice(2), (plant) =>
  bundleTs('test/sim/run/worker.ts', plant === null ? [] : [planting(plant)]),
);
