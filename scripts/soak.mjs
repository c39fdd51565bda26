// Has a daemon live through a day's worth of changes in some minutes; see bench/soak.ts and docs/SOAK.md.
import { importTs } from './run-ts.mjs';

const { soak } = await importTs('bench/soak.ts');
await soak(Number(process.argv[2] ?? 10));
