import { CUT_SHORT } from './cut-short.ts';
import { IDENTITIES } from './identities.ts';
import { NO_ANSWER } from './no-answer.ts';
import type { Scene } from './scene.ts';
import { STILL_AT_WORK } from './still-at-work.ts';

/** Everything that has happened to others in this field, and some that only time makes happen. */
export const SCENES: readonly Scene[] = [...NO_ANSWER, ...IDENTITIES, ...STILL_AT_WORK, ...CUT_SHORT];
