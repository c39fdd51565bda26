// Breaks every guard, rule and check in turn, and shows that a test goes red; see test/mutants/ and docs/MUTANTS.md.
import { importTs } from './run-ts.mjs';

const { mutants } = await importTs('test/mutants/main.ts');
process.exitCode = await mutants(process.argv.slice(2));
