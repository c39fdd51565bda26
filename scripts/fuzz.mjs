// Feeds every parser with damaged inputs, for as long as it is told; see test/fuzz/.
import { importTs } from './run-ts.mjs';

const { fuzz } = await importTs('test/fuzz/main.ts');
process.exitCode = await fuzz(process.argv.slice(2));
