// Stops the built program between any two of its steps and lets people in; see test/laws/races/ and docs/RACES.md.
import { resolve } from 'node:path';
import { importTs } from './run-ts.mjs';

process.env.ROLLCALL_RACE_PRELOAD = resolve('test/laws/races/pause.cjs');
const { races } = await importTs('test/laws/races/main.ts');
process.exitCode = await races(process.argv.slice(2));
