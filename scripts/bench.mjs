// Runs the benchmark; see bench/ for what is measured and docs/BENCHMARKS.md for the last figures.
import { importTs } from './run-ts.mjs';

const { bench } = await importTs('bench/bench.ts');
process.exitCode = await bench(process.argv.slice(2));
