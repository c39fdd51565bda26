import { ACTIVITIES, type Activity, LIFECYCLES, type Lifecycle } from './verdict.ts';

/** A word that may be waited for: what a session does, or what may be done with it. */
export type WaitState = Activity | Lifecycle;

export const WAIT_STATES: readonly WaitState[] = [...new Set([...ACTIVITIES, ...LIFECYCLES])];
