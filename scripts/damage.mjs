// Damages ledgers byte by byte and looks what rollcall makes of it; see test/laws/damage/ and docs/DAMAGE.md.
import { importTs } from './run-ts.mjs';

const { damage } = await importTs('test/laws/damage/main.ts');
process.exitCode = await damage(process.argv.slice(2));
