import fc from 'fast-check';

/**
 * Random inputs are the same in each run: what a change broke shows, and nothing else does. ROLLCALL_TEST_ALL draws new ones;
 * ROLLCALL_TEST_SEED draws those of a run that failed.
 */
const { ROLLCALL_TEST_ALL, ROLLCALL_TEST_SEED = ROLLCALL_TEST_ALL ? undefined : '1' } = process.env;
if (ROLLCALL_TEST_SEED !== undefined) fc.configureGlobal({ seed: Number(ROLLCALL_TEST_SEED) });
